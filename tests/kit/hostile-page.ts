/** Checks a page that should contain only text: reports anything that could run and is not part of the theme. */
import { parse } from 'parse5'

interface Node {
  nodeName: string
  attrs?: { name: string; value: string }[]
  childNodes?: Node[]
  content?: Node
  value?: string
}

const ADDRESSES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'xlink:href',
  'data',
  'poster',
  'background',
])
/** `data:` is safe: it has an opaque origin, and browsers do not follow links to it. */
const RUNS = /^(?:javascript|vbscript):/i
const FOREIGN = new Set(['iframe', 'object', 'embed', 'base', 'frame', 'applet', 'portal'])

/** Returns a description of each part that could run. `isOwnScript` recognizes the theme's inline scripts. */
export function runnableParts(html: string, isOwnScript: (text: string) => boolean): string[] {
  const found: string[] = []
  const look = (node: Node) => {
    const attributes = node.attrs ?? []
    const read = (name: string) => attributes.find((attribute) => attribute.name === name)?.value
    if (FOREIGN.has(node.nodeName)) found.push(`<${node.nodeName}>`)
    if (node.nodeName === 'script') {
      const text = node.childNodes?.[0]?.value ?? ''
      const src = read('src')
      const isData = read('type') === 'application/ld+json' && src === undefined
      const isOwn = src === undefined ? isOwnScript(text) : /^(?:\.\.\/)*\/?_octavo\//.test(src)
      if (!isOwn && !isData) found.push(`script ${src ?? text.slice(0, 80)}`)
    }
    if (node.nodeName === 'meta' && read('http-equiv')) found.push(`meta ${read('http-equiv')}`)
    for (const { name, value } of attributes) {
      if (/^on/i.test(name) || name === 'srcdoc') found.push(`${node.nodeName} ${name}=${value.slice(0, 80)}`)
      // Browsers strip these characters before they parse the scheme.
      const address = value.replace(/[\u0000-\u0020]/g, '')
      if (ADDRESSES.has(name) && RUNS.test(address))
        found.push(`${node.nodeName} ${name}=${value.slice(0, 80)}`)
    }
    for (const child of node.childNodes ?? []) look(child)
    if (node.content) look(node.content)
  }
  look(parse(html) as unknown as Node)
  return found
}
