interface Canvas {
  getContext(kind: '2d'): { font: string; fillText(text: string, x: number, y: number): void } | null;
  toDataURL(): string;
}

declare const document: { createElement(name: 'canvas'): Canvas };

/** Runs in the page: whether each sign is drawn otherwise than one that no font has. */
export function drawSamples(samples: readonly string[]): boolean[] {
  const draw = (text: string) => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    if (context === null) return '';
    context.font = '32px sans-serif';
    context.fillText(text, 10, 50);
    return canvas.toDataURL();
  };
  // The last code point of Unicode is no character.
  const box = draw('\u{10FFFF}');
  return samples.map((sample) => draw(sample) !== box);
}
