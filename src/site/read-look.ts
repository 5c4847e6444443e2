/** Settings about the look of a site: images in two modes, fonts, background, code themes. */
import type { Problem } from '../contract/problem.ts'
import type { FontSetting, SiteConfig, ThemedImage } from './config.ts'
import { fieldOf, isFields, type JsonNode } from './json.ts'
import {
  readChoice,
  readColor,
  readFields,
  readNumber,
  readPath,
  readText,
  reportSetting,
} from './read-json.ts'

const LIGHT_CODE = 'github-light-default'
const DARK_CODE = 'dark-plus'

/** One path for both modes, or one for each; a missing mode borrows the other. */
export function readThemedImage(
  problems: Problem[],
  node: JsonNode | undefined,
  path: string,
): ThemedImage | null {
  if (!node || node.value === null) return null
  if (!isFields(node.value)) {
    const image = readPath(problems, node, path)
    return image === null ? null : { light: image, dark: image }
  }
  const light = readPath(problems, fieldOf(node, 'light'), `${path}.light`)
  const dark = readPath(problems, fieldOf(node, 'dark'), `${path}.dark`)
  const image = light ?? dark
  if (image === null) return null
  if (light === null || dark === null) {
    const missing = light === null ? 'light' : 'dark'
    const message = `${path} has no ${missing} image; the other one is used in both modes.`
    reportSetting(problems, node, 'config.required', 'hint', message, `Add ${path}.${missing}.`)
  }
  return { light: light ?? image, dark: dark ?? image }
}

export function readFonts(problems: Problem[], node: JsonNode | undefined): SiteConfig['fonts'] {
  if (!readFields(problems, node, 'fonts')) return { heading: null, body: null }
  const both = readFont(problems, node, 'fonts')
  return {
    heading: readFont(problems, fieldOf(node, 'heading'), 'fonts.heading') ?? both,
    body: readFont(problems, fieldOf(node, 'body'), 'fonts.body') ?? both,
  }
}

function readFont(problems: Problem[], node: JsonNode | undefined, path: string): FontSetting | null {
  if (!readFields(problems, node, path)) return null
  const family = readText(problems, fieldOf(node, 'family'), `${path}.family`)
  if (family === null) return null
  const source = readPath(problems, fieldOf(node, 'source'), `${path}.source`)
  const format = readChoice(problems, fieldOf(node, 'format'), `${path}.format`, ['woff', 'woff2'])
  return {
    family,
    weight: readNumber(problems, fieldOf(node, 'weight'), `${path}.weight`),
    source,
    format: format ?? formatOf(source),
  }
}

function formatOf(source: string | null): FontSetting['format'] {
  const extension = /\.(woff2?)(?:[?#]|$)/i.exec(source ?? '')?.[1]?.toLowerCase()
  return extension === 'woff' || extension === 'woff2' ? extension : null
}

export function readBackground(problems: Problem[], node: JsonNode | undefined): SiteConfig['background'] {
  readFields(problems, node, 'background')
  const color = fieldOf(node, 'color')
  const decorations = ['gradient', 'grid', 'windows'] as const
  return {
    decoration: readChoice(problems, fieldOf(node, 'decoration'), 'background.decoration', decorations),
    color: {
      light: readColor(problems, fieldOf(color, 'light'), 'background.color.light'),
      dark: readColor(problems, fieldOf(color, 'dark'), 'background.color.dark'),
    },
    image: readThemedImage(problems, fieldOf(node, 'image'), 'background.image'),
  }
}

/** `system`, `dark`, one theme name for both modes, or an object; whether a theme exists is for the highlighter. */
export function readCodeThemes(
  problems: Problem[],
  node: JsonNode | undefined,
): SiteConfig['styling']['codeblocks'] {
  const standard = { light: LIGHT_CODE, dark: DARK_CODE }
  if (!node || node.value === null) return standard
  if (isFields(node.value)) return readCodeThemeObject(problems, fieldOf(node, 'theme')) ?? standard
  const name = readText(problems, node, 'styling.codeblocks')
  if (name === null || name === 'system') return standard
  if (name === 'dark') return { light: DARK_CODE, dark: DARK_CODE }
  return { light: name, dark: name }
}

function readCodeThemeObject(
  problems: Problem[],
  node: JsonNode | undefined,
): SiteConfig['styling']['codeblocks'] | null {
  if (!node || node.value === null) return null
  if (!isFields(node.value)) {
    const name = readText(problems, node, 'styling.codeblocks.theme')
    return name === null ? null : { light: name, dark: name }
  }
  const light = readText(problems, fieldOf(node, 'light'), 'styling.codeblocks.theme.light')
  const dark = readText(problems, fieldOf(node, 'dark'), 'styling.codeblocks.theme.dark')
  return { light: light ?? LIGHT_CODE, dark: dark ?? DARK_CODE }
}
