const SCHEME_MARK = '://';
const ADDRESS_END = /[\s<>"`|)\]]/g;

/**
 * Returns whether an offset lies inside an address (`https://…`) of the text: numbers there are ids far more
 * often than what they look like. Ask in ascending order; all questions together cost one pass.
 */
export function addressCursor(text: string): (at: number) => boolean {
  let start = text.indexOf(SCHEME_MARK);
  let end = start === -1 ? -1 : addressEnd(text, start);
  return (at) => {
    while (start !== -1 && end <= at) {
      start = text.indexOf(SCHEME_MARK, end);
      end = start === -1 ? -1 : addressEnd(text, start);
    }
    return start !== -1 && at > start;
  };
}

function addressEnd(text: string, start: number): number {
  ADDRESS_END.lastIndex = start + SCHEME_MARK.length;
  return ADDRESS_END.exec(text)?.index ?? text.length;
}
