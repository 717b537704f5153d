/** How a site looks: the `branding` of a document in the contract. Only what the page shows is filled in. */
export interface Branding {
  colorScheme: 'light' | 'dark';
  logo: string | null;
  colors: Palette;
  fonts: { family: string }[];
  typography: Typography;
  spacing: Spacing;
  components: Components;
  icons?: { style: 'outline' | 'filled'; color?: string };
  images: { logo?: string; favicon?: string; ogImage?: string };
  animations?: { transitionDuration: string; easing: string };
  layout: Layout;
}

/** Each as `#rrggbb`, in upper case. */
export interface Palette {
  primary?: string;
  secondary?: string;
  accent?: string;
  background: string;
  textPrimary?: string;
  textSecondary?: string;
  link?: string;
  success?: string;
  warning?: string;
  error?: string;
}

export interface Typography {
  fontFamilies: { primary?: string; heading?: string; code?: string };
  fontSizes: { h1?: string; h2?: string; h3?: string; body?: string };
  fontWeights: { light?: number; regular?: number; medium?: number; bold?: number };
  lineHeights: { heading?: string; body?: string };
}

export interface Spacing {
  /** The length in pixels of which most distances are a multiple. */
  baseUnit?: number;
  borderRadius: string;
  padding: { button?: string; input?: string };
}

export interface Components {
  buttonPrimary?: ButtonStyle;
  buttonSecondary?: ButtonStyle;
  input?: ButtonStyle;
}

export interface ButtonStyle {
  background?: string;
  textColor?: string;
  borderColor?: string;
  borderRadius: string;
}

export interface Layout {
  grid?: { columns?: number; maxWidth?: string };
  headerHeight?: string;
  footerHeight?: string;
}
