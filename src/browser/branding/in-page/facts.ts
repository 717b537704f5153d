/** What the functions of this folder find in a page. Colours are as CSS writes them; `colors` gives their values. */

/** How a shown element looks. */
export interface ElementLook {
  tag: string;
  /** `class` and `id`, in lower case. */
  names: string;
  /** The text in it, shortened. */
  text: string;
  top: number;
  width: number;
  height: number;
  color: string;
  background: string;
  border: string | null;
  radius: string;
  font: string;
  size: string;
  weight: string;
  lineHeight: string;
  padding: string;
  /** Whether it is in the header or the navigation of the page. */
  inHeader: boolean;
}

/** Text of one look, and how many characters of it there are. */
export interface TextLook {
  color: string;
  font: string;
  size: string;
  weight: string;
  lineHeight: string;
  characters: number;
}

export interface StyleFacts {
  /** The background of the page where nothing covers it. */
  canvas: string;
  /** Pixels that are seen of each background. */
  areas: [color: string, pixels: number][];
  /** Colours in gradients, with the pixels of their boxes. */
  gradients: [image: string, pixels: number][];
  /** The background of the header, if it has one of its own. */
  header: string | null;
  texts: TextLook[];
  headings: ElementLook[];
  buttons: ElementLook[];
  links: ElementLook[];
  inputs: ElementLook[];
  code: ElementLook[];
  /** Messages that say by their names that they are about success, a warning or an error. */
  messages: ElementLook[];
  /** Lengths in pixels of paddings, margins and gaps, and how often each occurs. */
  spaces: [pixels: number, times: number][];
  radii: [radius: string, times: number][];
  transitions: [transition: string, times: number][];
  /** Small drawings: whether they are drawn by lines or by areas. */
  icons: { outlined: number; filled: number; colors: [color: string, times: number][] };
  layout: {
    headerHeight: number | null;
    footerHeight: number | null;
    maxWidth: string | null;
    columns: number | null;
  };
}

export interface TokenFacts {
  /** Custom properties of the page that are colours, as the page writes their names. */
  variables: [name: string, color: string][];
  themeColor: string | null;
  colorScheme: string;
}

/** Absolute addresses, or `data:` addresses. */
export interface ImageFacts {
  logo: string | null;
  favicon: string | null;
  ogImage: string | null;
}

export interface BrandingFacts {
  styles: StyleFacts;
  tokens: TokenFacts;
  images: ImageFacts;
  /** Each colour of CSS as `#rrggbbaa`. */
  colors: Record<string, string>;
}
