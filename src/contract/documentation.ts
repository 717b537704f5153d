import { z } from 'zod';

/** The parts of the OpenAPI document that all operations with a key share. */

const failure = z
  .object({ success: z.literal(false), code: z.string(), error: z.string(), details: z.unknown().optional() })
  .describe('What went wrong and what to change');

/** Failures that any operation can answer with. */
export const failures = {
  400: failure,
  401: failure,
  402: failure,
  403: failure,
  404: failure,
  408: failure,
  409: failure,
  413: failure,
  429: failure,
  500: failure,
  502: failure,
  503: failure,
};

export const bearer = [{ bearerAuth: [] }];

/** A body with an example request for "Try it out" in /docs. The example has to work unchanged once a key is set. */
export function withExample<Body extends z.ZodObject>(body: Body, example: z.input<Body>): Body {
  // Not `examples`: zod treats those as output, and drops them where input and output differ.
  return body.meta({ 'x-examples': { short: { value: example } } });
}

const text = z.string().optional();

const price = z.object({ amount: z.number(), currency: text, formatted: text });

const availability = z.object({ inStock: z.boolean(), text });

const images = z.array(z.object({ url: z.string(), alt: text }));

const product = z.object({
  title: z.string(),
  brand: text,
  category: text,
  url: z.string(),
  description: text,
  variants: z.array(
    z.object({
      id: text,
      sku: text,
      title: text,
      values: z.record(z.string(), z.string()).optional(),
      price: price.optional(),
      sale: z.object({ originalPrice: price }).optional(),
      availability,
      images: images.optional(),
    }),
  ),
});

const menu = z.object({
  isMenu: z.boolean(),
  confidence: z.number(),
  merchant: z.object({ name: z.string(), type: text }),
  currency: text,
  sections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: text,
      items: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          description: text,
          images,
          price: price.optional(),
          availability,
          dietary: z.array(z.string()),
          calories: z.number().optional(),
          optionGroups: z.array(z.looseObject({})),
          identifiers: z.object({ merchantItemId: text }),
          url: text,
          sourceUrl: z.string(),
        }),
      ),
    }),
  ),
  sourceUrl: z.string(),
});

/** A scraped page: each requested format under its name. */
export const scrapedDocument = z.object({
  markdown: text,
  html: text,
  rawHtml: text,
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .optional(),
  product: product.optional(),
  menu: menu.optional(),
  warning: text,
  metadata: z.looseObject({
    sourceURL: z.string(),
    url: z.string(),
    statusCode: z.int(),
    contentType: z.string(),
    scrapeId: z.string(),
    proxyUsed: z.enum(['basic', 'enhanced']),
    cacheState: z.enum(['hit', 'miss']),
    cachedAt: text,
    creditsUsed: z.int(),
    title: text,
    description: text,
    language: text,
    feeds: z.array(z.string()).optional(),
  }),
});

export const scrapeAnswer = z.object({ success: z.literal(true), data: scrapedDocument });
