/** The named keys of an action "press". One character, such as "a" or "é", is a key as well. */
export const KEY_NAMES: readonly string[] = [
  ...['Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Insert', 'Space'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'],
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...['CapsLock', 'ContextMenu', 'Shift', 'Control', 'Alt', 'Meta'],
];

/** Keys that are held while another is pressed. */
const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];

/** Other common names. */
const ALIASES: Readonly<Record<string, string>> = {
  return: 'Enter',
  esc: 'Escape',
  del: 'Delete',
  spacebar: 'Space',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ctrl: 'Control',
  option: 'Alt',
  cmd: 'Meta',
  command: 'Meta',
};

const BY_NAME = new Map(KEY_NAMES.map((name) => [name.toLowerCase(), name]));

/** "ctrl+a" as "Control+a". Undefined if a part is no key. */
export function parseKey(text: string): string | undefined {
  // A plus sign is a key too: alone, or after the last separator.
  const parts = text.split(/\+(?=.)/su);
  const names = parts.map(nameOf);
  const held = names.slice(0, -1);
  if (names.includes(undefined) || held.some((name) => name !== undefined && !MODIFIERS.includes(name))) return;
  return names.join('+');
}

function nameOf(text: string): string | undefined {
  if ([...text].length === 1) return text === ' ' ? 'Space' : text;
  const name = text.toLowerCase();
  return BY_NAME.get(name) ?? ALIASES[name];
}
