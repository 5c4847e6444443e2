/**
 * HTML whose places that depend on where it is read are left open: addresses, pictures, icons, what differs from page
 * to page. It is made once and filled in for a deployment, a depth and a page, without being read again. Plain data.
 */

export type Markup = readonly Piece[]
export type Piece = WrittenHtml | Place
/** What was escaped, or is trusted: a text of anybody's is none. */
export type WrittenHtml = string & { readonly [WRITTEN]: true }
declare const WRITTEN: unique symbol

export type Place =
  /** Attributes of a start tag among which are addresses, written with a space before each. */
  | { kind: 'attributes'; tag: string; attributes: Attributes }
  /** Those of an `<img>` without a size of its own. `picture`: path in the site, or an address on another server. */
  | { kind: 'picture'; picture: string; attributes: Attributes }
  | ({ kind: 'icon' } & IconPlace)
  /** A style sheet with addresses in it. */
  | { kind: 'css'; css: string }
  /** What a page fills in by this name; nothing when it has no value for it. */
  | { kind: 'slot'; name: string }

/** Name, value, name, value…; null for an attribute without a value. Decoded. */
export type Attributes = readonly (string | null)[]

/** An icon of a library, which becomes inline SVG. */
export interface IconPlace {
  library: string
  name: string
  /** Null for the library's own. */
  style: string | null
  /** Pixels. */
  size: number
  /** Of the `<svg>`, as they stand. */
  attributes: Attributes
}

/** What a place takes in memory, as characters of text. */
const PLACE_CHARACTERS = 200

export function isEmpty(markup: Markup): boolean {
  return markup.length === 0
}

/** Each place exchanged for what is written in it, or left open as the place it comes back as. */
export function filled(markup: Markup, write: (place: Place) => string | Place): Markup {
  const writer = new MarkupWriter()
  for (const piece of markup) {
    const made = typeof piece === 'string' ? piece : write(piece)
    if (typeof made === 'string') writer.raw(made)
    else writer.place(made)
  }
  return writer.end()
}

/** The whole text. */
export function filledText(markup: Markup, write: (place: Place) => string): string {
  let text = ''
  for (const piece of markup) text += typeof piece === 'string' ? piece : write(piece)
  return text
}

/** Characters, roughly. */
export function lengthOf(markup: Markup): number {
  let length = 0
  for (const piece of markup) length += typeof piece === 'string' ? piece.length : PLACE_CHARACTERS
  return length
}

/** Puts pieces together; neighbouring texts become one. */
export class MarkupWriter {
  readonly #pieces: Piece[] = []
  #text = ''
  #characters = 0

  /** Written so far, roughly where something is left open. */
  get characters(): number {
    return this.#characters
  }

  /** Trusted HTML. */
  raw(text: string): void {
    this.#text += text
    this.#characters += text.length
  }

  place(place: Place): void {
    this.#flush()
    this.#pieces.push(place)
    if ('attributes' in place)
      for (const text of place.attributes) this.#characters += (text?.length ?? 0) + 2
  }

  markup(markup: Markup): void {
    for (const piece of markup) this.piece(piece)
  }

  piece(piece: Piece): void {
    if (typeof piece === 'string') this.raw(piece)
    else this.place(piece)
  }

  end(): Markup {
    this.#flush()
    return this.#pieces
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(this.#text as WrittenHtml)
    this.#text = ''
  }
}
