import type { PageTree } from '../tree.ts';
import { rawTextOf, walkElements } from '../walk.ts';

/**
 * A page's state rarely has more than 1 MB; larger scripts are left out entirely, because half of one cannot be parsed.
 */
const MAX_SCRIPT_LENGTH = 4_000_000;
/** The total, so that many large scripts cost no more than a few. */
const MAX_TOTAL_LENGTH = 16_000_000;

/** The inline scripts of a page, by content. */
export interface Scripts {
  jsonLd: string[];
  /** Data blocks of type JSON. */
  json: string[];
  javaScript: string[];
}

export function readScripts(tree: PageTree): Scripts {
  const scripts: Scripts = { jsonLd: [], json: [], javaScript: [] };
  let left = MAX_TOTAL_LENGTH;
  walkElements(tree.root.children, (element) => {
    if (element.name !== 'script' || element.attributes.src) return;
    const source = rawTextOf(element, MAX_SCRIPT_LENGTH + 1);
    if (source.length > MAX_SCRIPT_LENGTH || source.length > left || source.trim() === '') return;
    left -= source.length;
    listOf(scripts, element.attributes.type).push(source);
  });
  return scripts;
}

function listOf(scripts: Scripts, type = ''): string[] {
  // "application/ld+json; charset=utf-8" is common enough.
  const essence = type.split(';', 1)[0]?.trim().toLowerCase();
  if (essence === 'application/ld+json') return scripts.jsonLd;
  return essence === 'application/json' || essence === 'text/json' ? scripts.json : scripts.javaScript;
}
