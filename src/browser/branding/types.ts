/** How a site looks: the `branding` of a document in the contract. Only what the page shows is filled in. */
export interface Branding {
  colorScheme?: 'light' | 'dark';
  logo?: string | null;
}
