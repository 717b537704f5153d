import type { Attributes, ElementNode, TreeNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { textInTex } from './tex.ts';

/** Characters in common formulas that have a TeX command. */
const COMMANDS = pairs(
  'α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega ∞ infty ∑ sum ∏ prod ∫ int ∮ oint ∂ partial ∇ nabla √ surd ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ∝ propto ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow … dots ⋯ cdots ′ prime ⟨ langle ⟩ rangle ‖ | ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} \\ backslash ~ sim ^ text{\\textasciicircum}',
);
/** Accents above a symbol. */
const OVER = pairs('^ hat ¯ bar ‾ overline → vec ~ tilde ˙ dot ¨ ddot ⏞ overbrace');
/** Invisible times, function application, separators. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

/** Presentation MathML (MathML Core) as TeX. An element without an equivalent shows its children. */
export function texOfMathMl(math: ElementNode): string {
  return row(math.children).replace(/ {2,}/g, ' ').trim();
}

function row(nodes: readonly TreeNode[]): string {
  return nodes.map((node) => (node.kind === 'text' ? '' : element(node))).join('');
}

function element(node: ElementNode): string {
  const parts = node.children.filter((child) => child.kind === 'element');
  const part = (index: number) => {
    const child = parts[index];
    return child === undefined ? '' : element(child);
  };
  switch (node.name) {
    case 'mi':
    case 'mo':
    case 'mn':
      return symbols(node);
    case 'mtext':
    case 'ms':
      return `\\text{${textInTex(textOf(node))}}`;
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `\\frac{${part(0)}}{${part(1)}}`;
    case 'msqrt':
      return `\\sqrt{${row(node.children)}}`;
    case 'mroot':
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case 'msup':
      return `${base(part(0))}^{${part(1)}}`;
    case 'msub':
      return `${base(part(0))}_{${part(1)}}`;
    case 'msubsup':
    case 'munderover':
      return `${base(part(0))}_{${part(1)}}^{${part(2)}}`;
    case 'munder':
      return `${base(part(0))}_{${part(1)}}`;
    case 'mover':
      return over(part(0), parts[1]);
    case 'mfenced':
      return fenced(node.attributes, parts.map(element));
    case 'mtable':
      return `\\begin{matrix}${parts.map(element).join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return parts.map(element).join(' & ');
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return '';
    default:
      return row(node.children);
  }
}

function symbols(node: ElementNode): string {
  const text = textOf(node).replace(INVISIBLE, '');
  // A name of several letters is a function, set upright: sin, log, max.
  if (node.name === 'mi' && /^[A-Za-z]{2,}$/.test(text)) return `\\operatorname{${text}}`;
  return symbolsOf(text);
}

function symbolsOf(text: string): string {
  let tex = '';
  for (const char of text) {
    const command = COMMANDS.get(char);
    if (command !== undefined) tex += `\\${command}${/[a-z]$/i.test(command) ? ' ' : ''}`;
    else tex += /[#$%&_{}]/.test(char) ? `\\${char}` : char;
  }
  return tex;
}

function fenced({ open = '(', close = ')', separators = ',' }: Attributes, parts: readonly string[]): string {
  return `${symbolsOf(open)}${parts.join(symbolsOf(separators))}${symbolsOf(close)}`;
}

function base(tex: string): string {
  return tex.length <= 1 || /^\\[A-Za-z]+ ?$/.test(tex) ? tex.trimEnd() : `{${tex}}`;
}

function over(tex: string, accent: ElementNode | undefined): string {
  if (accent === undefined) return tex;
  const command = OVER.get(textOf(accent, 5));
  return command === undefined ? `\\overset{${element(accent)}}{${tex}}` : `\\${command}{${tex}}`;
}

/** A table written as `key value key value`. */
function pairs(table: string): ReadonlyMap<string, string> {
  const words = table.split(' ');
  const map = new Map<string, string>();
  for (let index = 0; index + 1 < words.length; index += 2) map.set(words[index] ?? '', words[index + 1] ?? '');
  return map;
}
