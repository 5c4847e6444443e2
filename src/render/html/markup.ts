/**
 * HTML with placeholders for everything that depends on where it is read: URLs, images, icons, differences between
 * pages. It is built once and filled in for a deployment, a depth and a page, without being parsed again. Plain data.
 */

export type Markup = readonly Piece[]
export type Piece = TrustedHtml | Placeholder
/** Escaped or trusted HTML, as opposed to arbitrary text. */
export type TrustedHtml = string & { readonly [TRUSTED]: true }
declare const TRUSTED: unique symbol

export type Placeholder =
  /** Attributes of a start tag that include URLs; each is written with a leading space. */
  | { kind: 'attributes'; tag: string; attributes: Attributes }
  /** Attributes of an `<img>` without a size. `picture` is a path in the site, or a URL on another server. */
  | { kind: 'picture'; picture: string; attributes: Attributes }
  | ({ kind: 'icon' } & IconPlaceholder)
  /** A style sheet that contains URLs. */
  | { kind: 'css'; css: string }
  /** Filled with the page's value for this name; empty if it has none. */
  | { kind: 'slot'; name: string }

/** Name, value, name, value…; null for an attribute without a value. Decoded. */
export type Attributes = readonly (string | null)[]

/** An icon from a library, replaced with inline SVG. */
export interface IconPlaceholder {
  library: string
  name: string
  /** Null for the library's default. */
  style: string | null
  /** In pixels. */
  size: number
  /** Attributes of the `<svg>`, unchanged. */
  attributes: Attributes
}

/** Approximate memory used by a placeholder, in characters of text. */
const PLACEHOLDER_CHARACTERS = 200

export function isEmpty(markup: Markup): boolean {
  return markup.length === 0
}

/** Replaces each placeholder with the result of `write`, which may again be a placeholder. */
export function fillPlaceholders(
  markup: Markup,
  write: (placeholder: Placeholder) => string | Placeholder,
): Markup {
  const writer = new MarkupWriter()
  for (const piece of markup) {
    const filledPiece = typeof piece === 'string' ? piece : write(piece)
    if (typeof filledPiece === 'string') writer.raw(filledPiece)
    else writer.placeholder(filledPiece)
  }
  return writer.end()
}

/** Replaces all placeholders and returns the text. */
export function renderText(markup: Markup, write: (placeholder: Placeholder) => string): string {
  let text = ''
  for (const piece of markup) text += typeof piece === 'string' ? piece : write(piece)
  return text
}

/** Returns the approximate length in characters. */
export function measureMarkup(markup: Markup): number {
  let length = 0
  for (const piece of markup) length += typeof piece === 'string' ? piece.length : PLACEHOLDER_CHARACTERS
  return length
}

/** Joins pieces, merging adjacent texts. */
export class MarkupWriter {
  readonly #pieces: Piece[] = []
  #text = ''
  #characters = 0

  /** Approximate number of characters written so far. */
  get characters(): number {
    return this.#characters
  }

  /** Appends trusted HTML. */
  raw(text: string): void {
    this.#text += text
    this.#characters += text.length
  }

  placeholder(placeholder: Placeholder): void {
    this.#flush()
    this.#pieces.push(placeholder)
    if ('attributes' in placeholder)
      for (const text of placeholder.attributes) this.#characters += (text?.length ?? 0) + 2
  }

  markup(markup: Markup): void {
    for (const piece of markup) this.piece(piece)
  }

  piece(piece: Piece): void {
    if (typeof piece === 'string') this.raw(piece)
    else this.placeholder(piece)
  }

  end(): Markup {
    this.#flush()
    return this.#pieces
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(this.#text as TrustedHtml)
    this.#text = ''
  }
}
