import { Parser } from 'htmlparser2';
import { ElementNode, type PageTree, TextNode } from './tree.ts';

/** HTML source to the light tree. Never throws on markup; time and memory are linear in the source. */
export function parseHtml(html: string, url: string): PageTree {
  const root = new ElementNode('', {});
  let open = root;
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = new ElementNode(name, attributes);
      element.parent = open;
      open.children.push(element);
      open = element;
    },
    ontext(text) {
      const node = new TextNode(text);
      node.parent = open;
      open.children.push(node);
    },
    onclosetag() {
      open = open.parent ?? root;
    },
  });
  parser.write(html);
  parser.end();
  return { root, baseUrl: url };
}
