/** Syntax highlighting of files. Runs in a worker, because hostile text can make a grammar run endlessly. */
import json from '@shikijs/langs/json'
import mdx from '@shikijs/langs/mdx'
import tsx from '@shikijs/langs/tsx'
import yaml from '@shikijs/langs/yaml'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export interface HighlightRequest {
  path: string
  text: string
}

export type LineTokens = readonly { length: number; color: string }[]

const LANGUAGE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ...{ mdx: 'mdx', md: 'mdx', json: 'json', yaml: 'yaml', yml: 'yaml' },
  ...{ ts: 'tsx', tsx: 'tsx', js: 'tsx', jsx: 'tsx', mjs: 'tsx' },
}

/** Scopes keyed by the style sheet variable that contains their color. */
const SCOPES = {
  comment: ['comment'],
  keyword: ['keyword', 'storage', 'markup.heading', 'support.type.property-name.json', 'entity.name.tag'],
  string: ['string', 'markup.raw.code'],
  constant: ['constant', 'variable.language'],
  function: ['entity.name.function', 'entity.other.attribute-name', 'support'],
}
const theme = {
  ...{ name: 'octavo', fg: 'inherit', bg: 'transparent' },
  settings: Object.entries(SCOPES).map(([name, scope]) => ({
    scope,
    settings: { foreground: `var(--syntax-${name})` },
  })),
}
const highlighter = await createHighlighterCore({
  themes: [theme],
  // Languages that are embedded in MDX must precede it.
  langs: [yaml, tsx, mdx, json],
  engine: createJavaScriptRegexEngine(),
})

self.onmessage = ({ data: { path, text } }: MessageEvent<HighlightRequest>) => {
  try {
    postMessage(highlight(path, text))
  } catch {
    postMessage(null)
  }
}
postMessage('loaded')

/** Returns null for a file in another language. */
function highlight(path: string, text: string): LineTokens[] | null {
  const lang = LANGUAGE_BY_EXTENSION[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
  if (lang === undefined) return null
  const lines = highlighter.codeToTokensBase(text, { lang, theme: theme.name })
  return lines.map((line) => line.map(({ content, color = '' }) => ({ length: content.length, color })))
}
