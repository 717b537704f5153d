import { PartReader } from './main/element-parts.ts';
import { Part } from './main/vocabulary.ts';
import type { ElementNode, PageTree } from './tree.ts';
import { rawTextOf, textOf, walkElements } from './walk.ts';

/** What a page of so many characters outside menus, footers and banners says is content. */
const MUCH_TEXT = 1_500;
/** The same where something that should hold the content is empty, but is perhaps only a widget. */
const SOME_TEXT = 400;
/** The same where the page only hints that scripts make it. */
const LITTLE_TEXT = 250;
/** What stands in an empty container: "Loading, please wait". */
const EMPTY_TEXT = 60;
/** The first characters of the page's text tell what it says. */
const MAX_SAMPLE = 600;
/** More for readers without scripts is not a note but the page itself. */
const MAX_NOTE = 1_000;
/** The end of a script that redirects. */
const MAX_SCRIPT = 3_000;
/** Two expressions are a template; one may be an example. */
const MIN_EXPRESSIONS = 2;

const SURROUNDINGS =
  Part.Navigation |
  Part.Footer |
  Part.Header |
  Part.Sidebar |
  Part.Consent |
  Part.Advert |
  Part.Overlay |
  Part.ScreenReader;

/** Where frameworks put what they render. */
const MOUNT_IDS =
  /^(?:root|app|application|mount|main-?app|app-?(?:root|container|wrapper|mount|main|content|shell)|react-?(?:root|app|container)|vue-?(?:app|root)|__next|__nuxt|__layout|___gatsby|gatsby-focus-wrapper|svelte(?:-app)?|sapper|q-app|ember-app|single-spa-application.*|elm|elm-app|preact-root|solid-root|blazor-app|flutter_?target)$/i;
const MOUNT_TAGS = /^(?:[a-z]+-(?:app|root|shell)|app-[a-z]+|flt-glass-pane|flutter-view)$/;
const MOUNT_ATTRIBUTES = ['ng-app', 'data-ng-app', 'ng-view', 'ui-view', 'v-cloak', 'data-v-app', 'data-reactroot'];
const MAIN_IDS = /^(?:main|content|main-?content|page-?content|site-?content|primary)$/i;

const WAITING = /skeleton|shimmer|placeholder-(?:glow|wave)|spinner|loader\b|loading/i;
const LOADING =
  /^\W*(?:loading|please wait|one moment|just a moment|initiali[sz]ing|starting|chargement|wird geladen|cargando|carregando|caricamento|laden|загрузка|加载中|読み込み中)/i;
const SCRIPT_NOTE =
  /(?:enable|activate|turn on|need|requires?|without|aktivier\w*|activer|active|habilit\w*|benötigt)\W+(?:\w+\W+){0,4}java\s?script|java\s?script\W+(?:\w+\W+){0,5}(?:required|disabled|enabled?|activated|necessary|erforderlich|désactivé|deshabilitado|aktivieren)/i;
const COOKIE_NOTE =
  /(?:enable|accept|allow)\W+(?:\w+\W+){0,2}cookies|checking your browser|verify(?:ing)?\W+(?:\w+\W+){0,3}(?:human|browser)/i;
const LEAVES = /\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:replace|assign|reload)\s*\(|\bdocument\.cookie\s*=/;

/** Elements that are content without any text. */
const CONTENT_TAGS = new Set(['video', 'audio', 'iframe', 'object', 'embed', 'table', 'pre', 'select', 'textarea']);
const HIDDEN_INPUTS = new Set(['hidden', 'submit', 'button', 'image']);

/** Whether a page has to be rendered. */
export interface ShellReport {
  /** It is an empty shell: only scripts can fill it. */
  isShell: boolean;
  /** Visible characters. */
  textLength: number;
}

/**
 * Decides whether a page is the shell of an application, by what it has and what it lacks: text outside menus and footers, empty
 * containers of frameworks, signs of loading, notes to readers without scripts. The tree must show what readers see.
 */
export function readShell({ root }: PageTree): ShellReport {
  return { isShell: new Evidence(root).isShell(), textLength: root.textLength };
}

class Evidence {
  readonly #parts = new PartReader();
  /** Characters outside the surroundings of the content. */
  #text = 0;
  #sample = '';
  #links = 0;
  /** Pictures, fields, tables and the like. */
  #things = 0;
  #fields = 0;
  #scripts = 0;
  #bundles = 0;
  #hasFrames = false;
  #refreshes = false;
  #leaves = false;
  #hasNote = false;
  #hasFallback = false;
  #isWaiting = false;
  #emptyMounts = 0;
  #emptyCustomElements = 0;
  #emptyMains = 0;
  #fullMains = 0;

  constructor(root: ElementNode) {
    this.#readAll(root, false);
  }

  isShell(): boolean {
    if (this.#hasFrames || this.#refreshes || this.#hasFallback || this.#scripts === 0) return false;
    if (this.#text > MUCH_TEXT) return false;
    const sample = this.#sample.trim();
    if ((sample.match(/\{\{/g)?.length ?? 0) >= MIN_EXPRESSIONS) return true;
    if (this.#emptyMains > 0 && this.#fullMains === 0 && !this.#hasForm) return true;
    if (this.#emptyMounts > 0 && this.#text < SOME_TEXT && !this.#hasForm) return true;
    if (this.#text >= LITTLE_TEXT || this.#hasForm) return false;
    if (LOADING.test(sample) || SCRIPT_NOTE.test(sample) || COOKIE_NOTE.test(sample)) return true;
    if (this.#hasNote || this.#isWaiting || this.#leaves) return true;
    if (this.#emptyCustomElements > 0 && this.#bundles > 0) return true;
    return this.#text <= EMPTY_TEXT / 2 && this.#links + this.#things + this.#fields === 0;
  }

  get #hasForm(): boolean {
    return this.#fields > 1 || (this.#fields === 1 && this.#text > EMPTY_TEXT);
  }

  #readAll({ children }: ElementNode, isAround: boolean): void {
    for (const child of children) {
      // Such a page is no shell, whatever else is on it.
      if (this.#text > MUCH_TEXT) return;
      if (child.kind === 'element') this.#read(child, isAround);
      else if (!isAround) this.#readText(child.text);
    }
  }

  #readText(text: string): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    this.#text += trimmed.length;
    if (this.#sample.length < MAX_SAMPLE) this.#sample += `${trimmed.slice(0, MAX_SAMPLE)} `;
  }

  #read(element: ElementNode, isAround: boolean): void {
    const { name, attributes, textLength } = element;
    switch (name) {
      case 'script':
        this.#readScript(element);
        return;
      case 'noscript':
        this.#readNoscript(element);
        return;
      case 'meta':
        this.#refreshes ||=
          attributes['http-equiv']?.toLowerCase() === 'refresh' && /^\s*\d/.test(attributes.content ?? '');
        return;
      case 'frameset':
        this.#hasFrames = true;
        return;
      case 'head':
      case 'html':
      case 'body':
        this.#readAll(element, false);
        return;
      case 'style':
      case 'template':
      case 'svg':
      case 'title':
        return;
      case 'a':
        if (!isAround && textLength > 0) this.#links++;
        break;
      case 'img':
        if (!isAround && !isPixel(element)) this.#things++;
        return;
      case 'input':
        if (!isAround && !HIDDEN_INPUTS.has(attributes.type?.toLowerCase() ?? '')) this.#fields++;
        return;
    }
    if (isAround) {
      this.#readAll(element, (this.#parts.read(element) & Part.Main) === 0);
      return;
    }
    // Looking below is left for those elements that it says something about.
    const isShort = textLength <= EMPTY_TEXT;
    if (isMain(element)) isShort && hasNothing(element) ? this.#emptyMains++ : this.#fullMains++;
    else if (isShort && isMount(element)) this.#emptyMounts += hasNothing(element) ? 1 : 0;
    else if (textLength === 0 && name.includes('-') && hasNothing(element)) this.#emptyCustomElements++;
    if (element.hidden) {
      this.#readScripts(element);
      return;
    }
    if (CONTENT_TAGS.has(name)) this.#things++;
    this.#isWaiting ||= isShort && isWaiting(element) && hasNothing(element);
    const parts = textLength === 0 ? 0 : this.#parts.read(element);
    const isContent = (parts & Part.Main) !== 0;
    this.#readAll(element, !isContent && (name === 'header' || (parts & SURROUNDINGS) !== 0));
  }

  #readScripts(element: ElementNode): void {
    walkElements(element.children, (inner) => {
      if (inner.name === 'script') this.#readScript(inner);
    });
  }

  #readScript(script: ElementNode): void {
    const { type = '', src } = script.attributes;
    const isModule = type.toLowerCase() === 'module';
    if (type !== '' && !isModule && !/javascript|ecmascript|babel/i.test(type)) return;
    this.#scripts++;
    if (src || isModule) this.#bundles++;
    else this.#leaves ||= LEAVES.test(rawTextOf(script, MAX_SCRIPT));
  }

  #readNoscript(noscript: ElementNode): void {
    this.#hasFallback ||= noscript.textLength > MAX_NOTE;
    this.#hasNote ||= SCRIPT_NOTE.test(textOf(noscript, MAX_NOTE));
  }
}

function isMount({ name, attributes }: ElementNode): boolean {
  if (name.includes('-') && MOUNT_TAGS.test(name)) return true;
  if (attributes.id !== undefined && MOUNT_IDS.test(attributes.id)) return true;
  return MOUNT_ATTRIBUTES.some((attribute) => attributes.get(attribute) !== undefined);
}

function isMain({ name, attributes: { role, id } }: ElementNode): boolean {
  return name === 'main' || role === 'main' || (id !== undefined && MAIN_IDS.test(id));
}

function isWaiting({ attributes }: ElementNode): boolean {
  if (attributes.class !== undefined && WAITING.test(attributes.class)) return true;
  return attributes.role === 'progressbar' || attributes.get('aria-busy') === 'true';
}

/** Whether nothing below is content by itself. Logos and drawings that turn while a page loads do not count. */
function hasNothing({ children }: ElementNode): boolean {
  let pictures = 0;
  let isEmpty = true;
  walkElements(children, ({ name, attributes }) => {
    if (name === 'img') pictures++;
    if (CONTENT_TAGS.has(name) || (name === 'a' && attributes.href !== undefined)) isEmpty = false;
    if (name === 'input' && !HIDDEN_INPUTS.has(attributes.type?.toLowerCase() ?? '')) isEmpty = false;
    return isEmpty && name !== 'template' && name !== 'noscript';
  });
  return isEmpty && pictures < 3;
}

function isPixel({ attributes }: ElementNode): boolean {
  return Number(attributes.get('width') ?? 100) < 3 || Number(attributes.get('height') ?? 100) < 3;
}
