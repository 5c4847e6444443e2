/** What links, pictures and copies of files from elsewhere need to know of the elements of a body. */

import { decodePath } from '../../base/text/decode-path.ts'
import { copiedAddresses, isRemote } from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'
import type { Attributes } from '../html/markup.ts'
import type { HtmlElement } from '../html/parse-html.ts'
import { pictureOf } from '../html/picture.ts'
import { sheetOf } from '../html/write-html.ts'

export class BodyFacts {
  readonly #ids = new Set<string>()
  /** Those that stand in the text, and not in the right column. */
  readonly #inText = new Set<string>()
  readonly #links = new Set<string>()
  readonly #pictures: string[] = []
  readonly #remote = new Set<string>()

  element(element: HtmlElement, isInSide: boolean): void {
    const { tag, attributes } = element
    for (let i = 0; i < attributes.length; i += 2)
      this.#attribute(attributes[i] as string, attributes[i + 1] ?? '', isInSide)
    if (tag === 'img') {
      const picture = pictureOf(attributes)
      if (picture !== null) this.#pictures.push(picture)
    }
    this.#copied(tag, attributes)
    if (tag === 'style') this.#css(sheetOf(element) ?? '')
  }

  isInText(id: string): boolean {
    return this.#inText.has(id)
  }

  end() {
    // Most headings link to themselves.
    const isOwn = (href: string) => href.startsWith('#') && this.#ids.has(decodePath(href.slice(1)))
    return {
      anchors: {
        ids: [...this.#ids].join('\n'),
        links: [...this.#links].filter((href) => !isOwn(href)),
      },
      images: this.#pictures.filter((picture) => !isRemote(picture)),
      pictures: this.#pictures.filter(isRemote),
      remote: [...this.#remote],
    }
  }

  #attribute(name: string, value: string, isInSide: boolean): void {
    if (name === 'id' || name === 'name') {
      this.#ids.add(value)
      if (!isInSide) this.#inText.add(value)
    } else if (name === 'href') {
      if (/^[#/]/.test(value) && value.includes('#')) this.#links.add(value)
    } else if (name === 'style') this.#css(value)
  }

  #copied(tag: string, attributes: Attributes): void {
    for (const url of copiedAddresses(tag, attributes)) this.#remote.add(url)
  }

  #css(css: string): void {
    if (!css.includes('//')) return
    rewriteCssUrls(css, (url) => {
      if (isRemote(url)) this.#remote.add(url)
      return url
    })
  }
}
