/**
 * HTML with placeholders for parts that depend on the deployment, the depth or the page: URLs, images, icons,
 * slots. Built once and filled without parsing. Serializable.
 */

export type Markup = readonly Piece[]
export type Piece = TrustedHtml | Placeholder
/** Escaped or trusted HTML. */
export type TrustedHtml = string & { readonly [TRUSTED]: true }
declare const TRUSTED: unique symbol

export type Placeholder =
  /** Attributes of a start tag that include URLs. */
  | { kind: 'attributes'; tag: string; attributes: Attributes }
  /** Attributes of an `<img>` without a size. `picture` is a path in the site or a remote URL. */
  | { kind: 'picture'; picture: string; attributes: Attributes }
  | ({ kind: 'icon' } & IconPlaceholder)
  /** Style sheet that contains URLs. */
  | { kind: 'css'; css: string }
  /** Replaced with the value that the page has for this name, if any. */
  | { kind: 'slot'; name: string }

/** Alternating names and decoded values; null for an attribute without a value. */
export type Attributes = readonly (string | null)[]

/** Icon that is replaced with inline SVG. */
export interface IconPlaceholder {
  library: string
  name: string
  /** Null for the default style of the library. */
  style: string | null
  /** In pixels. */
  size: number
  /** Copied to the `<svg>`. */
  attributes: Attributes
}

/** Approximate memory used by a placeholder, in characters. */
const PLACEHOLDER_CHARACTERS = 200

export function isEmpty(markup: Markup): boolean {
  return markup.length === 0
}

/** Replaces each placeholder with the result of `write`, which may be another placeholder. */
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

export function renderText(markup: Markup, write: (placeholder: Placeholder) => string): string {
  let text = ''
  for (const piece of markup) text += typeof piece === 'string' ? piece : write(piece)
  return text
}

export function measureMarkup(markup: Markup): number {
  let length = 0
  for (const piece of markup) length += typeof piece === 'string' ? piece.length : PLACEHOLDER_CHARACTERS
  return length
}

/** Joins pieces. Merges adjacent text. */
export class MarkupWriter {
  readonly #pieces: Piece[] = []
  #text = ''
  #characters = 0

  get characters(): number {
    return this.#characters
  }

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
