import type { InputElement } from './dom.ts';

interface Field extends InputElement {
  readonly isContentEditable: boolean;
  readonly readOnly: boolean;
  readonly disabled: boolean;
}

/** How a field takes text: by the keyboard, as one value, or as the choice of an option. Otherwise it is its tag. */
export type TextKind = 'keys' | 'value' | 'option' | `<${string}>`;

/** Runs in the page. */
export function textKind(element: Field): TextKind {
  const isLocked = element.readOnly || element.disabled;
  if (element.localName === 'select' && !isLocked) return 'option';
  if (element.isContentEditable || (element.localName === 'textarea' && !isLocked)) return 'keys';
  // A custom element can keep its field to itself, in a closed shadow root.
  if (element.localName.includes('-')) return 'keys';
  if (element.localName !== 'input') return `<${element.localName}>`;
  if (isLocked || /^(?:button|submit|reset|image|file|checkbox|radio)$/.test(element.type)) {
    return `<input type="${element.type}"${isLocked ? ' readonly' : ''}>`;
  }
  return /^(?:date|time|month|week|datetime-local|color|range)$/.test(element.type) ? 'value' : 'keys';
}
