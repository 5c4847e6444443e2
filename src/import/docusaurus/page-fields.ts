/** Frontmatter of Docusaurus as that of Octavo. What has no counterpart stays: it means nothing and is not lost. */
import { type Fields, textOf } from '../values.ts'
import type { Doc } from './docs.ts'

/** They have become the place of the page and its entry. */
const USED = new Set(
  'id title slug sidebar_position sidebar_label description image unlisted draft hide_table_of_contents'.split(
    ' ',
  ),
)

export function docFields(doc: Doc, address: (text: string) => string): Fields {
  const { fields } = doc.page
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !USED.has(name)))
  const image = textOf(fields.image)
  return {
    title: doc.title,
    sidebarTitle: doc.label === doc.title ? null : doc.label,
    description: textOf(fields.description),
    'og:image': image === null ? null : address(image),
    hidden: fields.unlisted === true || null,
    mode: fields.hide_table_of_contents === true ? 'wide' : null,
    ...rest,
  }
}
