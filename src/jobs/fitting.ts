/** The first items that fit into this many bytes. The first one always fits, so that reading a list makes progress. */
export function fitting<Item>(items: readonly Item[], sizeOf: (item: Item) => number, maxBytes: number): Item[] {
  let bytes = 0;
  const over = items.findIndex((item, index) => {
    bytes += sizeOf(item);
    return bytes > maxBytes && index > 0;
  });
  return over === -1 ? [...items] : items.slice(0, over);
}
