/**
 * The address with the greatest width or density of a `srcset` (HTML standard, "Parsing a srcset attribute"):
 * candidates end at a comma that follows white space or a descriptor, because addresses may contain commas.
 */
export function largestCandidate(srcset: string): string | undefined {
  let best: string | undefined;
  let bestSize = 0;
  for (const { address, size } of candidates(srcset)) {
    if (size <= bestSize) continue;
    best = address;
    bestSize = size;
  }
  return best;
}

/** The `srcset` with each address replaced; candidates for which `replace` gives nothing are left out. */
export function mapSrcset(srcset: string, replace: (address: string) => string | undefined): string {
  const mapped: string[] = [];
  for (const { address, descriptor } of candidates(srcset)) {
    const replaced = replace(address);
    if (replaced !== undefined) mapped.push(descriptor === '' ? replaced : `${replaced} ${descriptor}`);
  }
  return mapped.join(', ');
}

interface Candidate {
  address: string;
  /** As written: `640w`, `2x`, or nothing. */
  descriptor: string;
  /** The width in pixels, or the pixel density; 1 when there is no descriptor. */
  size: number;
}

function* candidates(srcset: string): Generator<Candidate> {
  const addressStart = /[^\s,]/g;
  const addressEnd = /\s|$/g;
  let position = 0;
  while (position < srcset.length) {
    addressStart.lastIndex = position;
    const start = addressStart.exec(srcset)?.index;
    if (start === undefined) return;
    addressEnd.lastIndex = start;
    const end = addressEnd.exec(srcset)?.index ?? srcset.length;
    const address = srcset.slice(start, end);
    if (address.endsWith(',')) {
      yield { address: address.slice(0, endWithoutCommas(address)), descriptor: '', size: 1 };
      position = end;
      continue;
    }
    const comma = srcset.indexOf(',', end);
    position = comma === -1 ? srcset.length : comma + 1;
    const descriptor = srcset.slice(end, comma === -1 ? position : comma).trim();
    yield { address, descriptor, size: Number.parseFloat(descriptor) || 1 };
  }
}

function endWithoutCommas(address: string): number {
  let end = address.length;
  while (address.charAt(end - 1) === ',') end--;
  return end;
}
