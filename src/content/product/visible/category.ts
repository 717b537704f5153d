import { resolveAddress } from '../../address.ts';
import { type Crumb, categoryOf } from '../category.ts';
import { cleanText } from '../clean-text.ts';
import { MAX_TITLE } from '../draft.ts';
import type { Evidence } from '../evidence.ts';
import { Name } from './box-names.ts';
import { type Box, outward, type PageBoxes, shownText } from './page-boxes.ts';

/** An element with more characters of text is not a breadcrumb trail. */
const MAX_TRAIL = 400;

/** The category of the product, from the first visible breadcrumb trail. */
export function shownCategory({ links }: PageBoxes, title: string | undefined, evidence: Evidence): string | undefined {
  const trails = Map.groupBy(
    links.filter((link) => trailOf(link) !== undefined),
    trailOf,
  );
  for (const steps of trails.values()) {
    const category = categoryOf(
      steps.map((link) => crumbOf(link, evidence.baseUrl)),
      title,
      evidence,
    );
    if (category !== undefined) return category;
  }
  return undefined;
}

function trailOf(link: Box): Box | undefined {
  let trail: Box | undefined;
  for (const box of outward(link.parent)) {
    if (box.end - box.start > MAX_TRAIL) break;
    const label = box.element.attributes['aria-label'] ?? '';
    if ((box.names & Name.Breadcrumbs) !== 0 || /bread-?crumb|brotkr/i.test(label)) trail = box;
  }
  return trail;
}

function crumbOf(link: Box, baseUrl: string): Crumb {
  return {
    name: cleanText(shownText(link, MAX_TITLE), MAX_TITLE),
    address: resolveAddress(link.element.attributes.href ?? '', baseUrl),
  };
}
