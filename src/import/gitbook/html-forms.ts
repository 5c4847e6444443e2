/** HTML that GitBook writes for what Markdown has no form for. */
import { attribute, attributeText, readTag, scanBudget } from '../markdown/tags.ts'
import { plainTitle } from '../page-file.ts'
import { cardTable } from './card-table.ts'

export type LinkOf = (address: string, use: 'link' | 'image') => string

type Found = { text: string; end: number } | null

const MAX_TABLE = 300_000
const MAX_FIGURE = 5000

export function htmlForm(text: string, at: number, link: LinkOf): Found {
  if (text[at + 1] === 'a') return headingAnchor(text, at)
  const found = text.startsWith('<figure', at)
    ? figure(text, at, link)
    : text.startsWith('<table', at)
      ? cards(text, at, link)
      : null
  return found && { ...found, text: found.text.replaceAll('\n', `\n${indentAt(text, at)}`) }
}

/** In a list item all lines of a form are indented as its first. */
function indentAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at)
  return /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
}

/** `## Title <a href="#id" id="id"></a>` */
function headingAnchor(text: string, at: number): Found {
  const pattern = /<a href="#([\w.:-]{1,200})" id="([\w.:-]{1,200})"><\/a>[ \t]{0,20}(?=\n|$)/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  const before = text.slice(Math.max(0, at - 2000), at)
  if (!found || !/^\s{0,3}#{1,6}[ \t]/.test(before.slice(before.lastIndexOf('\n') + 1))) return null
  return { text: `{#${found[2]}}`, end: pattern.lastIndex }
}

/** `<figure><img src alt><figcaption>…</figcaption></figure>` */
function figure(text: string, at: number, link: LinkOf): Found {
  const near = text.slice(at, at + MAX_FIGURE)
  const close = near.indexOf('</figure>')
  const image = near.indexOf('<img')
  if (close === -1 || image === -1 || image > close) return null
  const inner = near.slice(0, close)
  // Two pictures, for light and dark, stay HTML.
  if (inner.indexOf('<img', image + 4) !== -1) return null
  const tag = readTag(inner, image, scanBudget(inner))
  const src = tag && attributeText(tag, 'src')
  if (!tag || src === null) return null
  const caption = inner.includes('<figcaption')
    ? plainTitle(inner.slice(inner.indexOf('<figcaption')).replace(/\{/g, '(').replace(/\}/g, ')'))
    : ''
  const names = ['alt', 'width', 'height'].map((name) => attribute(name, attributeText(tag, name))).join('')
  return {
    text: `<Frame${attribute('caption', caption)}>\n<img${attribute('src', link(src, 'image'))}${names} />\n</Frame>`,
    end: at + close + '</figure>'.length,
  }
}

function cards(text: string, at: number, link: LinkOf): Found {
  const opening = text.slice(at, at + 200)
  if (!/^<table\s[^<>]{0,100}data-view="cards"/.test(opening) && !/^<table data-card-size/.test(opening))
    return null
  const close = text.indexOf('</table>', at)
  if (close === -1 || close - at > MAX_TABLE) return null
  const end = close + '</table>'.length
  return { text: cardTable(text.slice(at, end), { link }), end }
}
