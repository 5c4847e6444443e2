/** Renders markup to a single string, with placeholders written out as an author would write them. */
import { formatAttribute } from '../../src/render/html/addresses.ts'
import { type Attributes, type Markup, type Placeholder, renderText } from '../../src/render/html/markup.ts'
import type { RenderedBody } from '../../src/render/page/body.ts'

export function markupText(markup: Markup): string {
  return renderText(markup, textOf)
}

export type BodyText = Omit<RenderedBody, 'html' | 'side'> & { html: string; side: string | null }

/** Returns a body with its markup as strings, including the opening heading. */
export function bodyText(body: RenderedBody): BodyText {
  const html = markupText([...(body.opening?.whole ?? []), ...body.html])
  return { ...body, html, side: body.side && markupText(body.side) }
}

function textOf(place: Placeholder): string {
  switch (place.kind) {
    case 'attributes':
    case 'picture':
      return attributesOf(place.attributes)
    case 'icon': {
      const { library, name, style, size, attributes } = place
      const own = ['data-l', library, 'data-n', name, ...(style ? ['data-s', style] : [])]
      const rest = [...(size === 16 ? [] : ['data-z', String(size)]), ...attributes]
      return `<o-icon${attributesOf([...own, ...rest])}></o-icon>`
    }
    case 'css':
      return place.css
    case 'slot':
      return ` data-slot="${place.name}"`
  }
}

function attributesOf(attributes: Attributes): string {
  let text = ''
  for (let i = 0; i < attributes.length; i += 2)
    text += formatAttribute(attributes[i] as string, attributes[i + 1] as string | null)
  return text
}
