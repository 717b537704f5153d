import type { ElementNode } from '../tree.ts';

/** Pages stream some ten pieces. Each is searched for among its siblings, so their number is limited. */
const MAX_PIECES = 1_000;

/**
 * React streams late content as `<div hidden id="S:1">` to the end of the page, where a script moves it to `<template
 * id="B:1">` (a boundary) or `<template id="P:1">` (a place within one). This does the same as that script.
 * @param hidden elements in document order
 * @param places templates by their id
 * @returns the elements that were moved
 */
export function placeStreamed(hidden: readonly ElementNode[], places: ReadonlyMap<string, ElementNode>): ElementNode[] {
  const moved: ElementNode[] = [];
  for (const piece of hidden) {
    if (moved.length >= MAX_PIECES) break;
    const place = placeOf(piece.attributes.id ?? '', places);
    if (place?.parent && !isWithin(place.parent, piece)) {
      move(piece, place);
      moved.push(piece);
    }
  }
  return moved;
}

/** Ids have a prefix where several applications share a page. */
function placeOf(id: string, places: ReadonlyMap<string, ElementNode>): ElementNode | undefined {
  const match = /^(.*)S:([0-9a-f]+)$/i.exec(id);
  return match ? (places.get(`${match[1]}B:${match[2]}`) ?? places.get(`${match[1]}P:${match[2]}`)) : undefined;
}

function move(piece: ElementNode, place: ElementNode): void {
  const source = piece.parent?.children;
  source?.splice(source.indexOf(piece), 1);
  const target = place.parent?.children;
  target?.splice(target.indexOf(place), 1, piece);
  piece.parent = place.parent;
}

function isWithin(inner: ElementNode, outer: ElementNode): boolean {
  for (let element: ElementNode | null = inner; element; element = element.parent) if (element === outer) return true;
  return false;
}
