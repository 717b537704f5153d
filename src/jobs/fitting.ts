/** The first items that fit together into so many bytes; the first one fits always, so that a list can be read on. */
export function fitting<Item>(items: readonly Item[], sizeOf: (item: Item) => number, mostBytes: number): Item[] {
  let bytes = 0;
  const over = items.findIndex((item, index) => {
    bytes += sizeOf(item);
    return bytes > mostBytes && index > 0;
  });
  return over === -1 ? [...items] : items.slice(0, over);
}
