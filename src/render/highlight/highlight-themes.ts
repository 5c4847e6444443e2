/**
 * Colors of two themes. The grammar runs once and returns a path of scopes for each token. For each path, the colors of
 * both themes are looked up and cached. Running the grammar once per theme would take twice as long.
 */
import { createCssVariablesTheme, normalizeTheme, type ThemeRegistrationAny } from 'shiki/core'
import { type IRawTheme, Theme } from 'shiki/textmate'
import { importFromPackage } from '../../base/files/program-files.ts'
import { isModuleNotFound } from '../../base/internal-error.ts'
import { contrast, cssColour, ensureContrast, type Oklch, parseHex } from '../theme/colour.ts'

export interface CodeColors {
  /** Attributes of the `<code>` element: ` style="…"`. */
  attributes: string
  root: ScopeNode
}

/** Scope in a path. The path from the root determines the colors. */
export interface ScopeNode {
  /** Style of tokens with this path; empty for the style of plain text. */
  style: string
  children: Map<string, ScopeNode>
  child(scope: string): ScopeNode
}

interface LoadedTheme {
  foreground: string
  background: string
  /** Adds a scope. Styles that the theme does not set are inherited. */
  step(parent: TextStyle, path: ScopePath): TextStyle
}

interface TextStyle {
  color: string
  /** Bits: 1 italic, 2 bold, 4 underline, 8 strikethrough. */
  font: number
}

interface ScopePath {
  parent: ScopePath | null
  scopeName: string
}

/**
 * Backgrounds for measuring contrast. Because pages tint their background, these are the ones with the least contrast.
 */
const GROUNDS = { light: { l: 0.952, c: 0, h: 0 }, dark: { l: 0.225, c: 0, h: 0 } } satisfies Record<
  string,
  Oklch
>
const MIN_CONTRAST = 4.5

const FALLBACK_THEMES = { light: 'github-light-default', dark: 'dark-plus' }

export async function loadCodeColors(names: { light: string; dark: string }): Promise<CodeColors> {
  const [light, dark] = await Promise.all([
    loadTheme(names.light, FALLBACK_THEMES.light),
    loadTheme(names.dark, FALLBACK_THEMES.dark),
  ])
  const plain = { light: { color: light.foreground, font: 0 }, dark: { color: dark.foreground, font: 0 } }
  const style = (textStyles: { light: TextStyle; dark: TextStyle }): string => {
    const fonts = fontStyle(textStyles.light.font)
    const isPlain = textStyles.light.color === light.foreground && textStyles.dark.color === dark.foreground
    if (isPlain) return fonts
    return `--l:${textStyles.light.color};--d:${textStyles.dark.color}${fonts && `;${fonts}`}`
  }
  const create = (path: ScopePath | null, textStyles: { light: TextStyle; dark: TextStyle }): ScopeNode => {
    const children = new Map<string, ScopeNode>()
    return {
      style: style(textStyles),
      children,
      child(scope) {
        const known = children.get(scope)
        if (known) return known
        const next = { parent: path, scopeName: scope }
        const made = create(next, {
          light: light.step(textStyles.light, next),
          dark: dark.step(textStyles.dark, next),
        })
        children.set(scope, made)
        return made
      },
    }
  }
  const vars = `--lf:${light.foreground};--lb:${light.background};--df:${dark.foreground};--db:${dark.background}`
  return { attributes: ` style="${vars}"`, root: create(null, plain) }
}

async function loadTheme(name: string, fallback: string): Promise<LoadedTheme> {
  const raw = normalizeTheme(await readTheme(name, fallback))
  const replaced = raw.colorReplacements ?? {}
  const theme = Theme.createFromRawTheme(raw as unknown as IRawTheme)
  const colors = theme.getColorMap()
  const background = parseHex(raw.bg)
  const readable = createContrastAdjuster(
    background !== null && background.l < 0.5 ? GROUNDS.dark : GROUNDS.light,
  )
  const colorOf = (id: number): string => {
    const color = colors[id] ?? raw.fg
    return readable(safeColor(replaced[color.toLowerCase()] ?? replaced[color] ?? color.toLowerCase()))
  }
  return {
    foreground: safeColor(raw.fg.toLowerCase()),
    background: safeColor(raw.bg.toLowerCase()),
    step(parent, path) {
      // The library's matcher only reads these two fields of a path.
      const found = theme.match(path as Parameters<typeof theme.match>[0])
      if (!found) return parent
      return {
        color: found.foregroundId === 0 ? parent.color : colorOf(found.foregroundId),
        font: found.fontStyle === -1 ? parent.font : found.fontStyle,
      }
    },
  }
}

/** Returns a function that increases the contrast of faint colors. Caches its results. */
function createContrastAdjuster(ground: Oklch): (color: string) => string {
  const known = new Map<string, string>()
  return (color) => {
    const made = known.get(color) ?? increaseContrast(color, ground)
    known.set(color, made)
    return made
  }
}

function increaseContrast(color: string, ground: Oklch): string {
  const parsed = parseHex(color)
  if (parsed === null || contrast(parsed, ground) >= MIN_CONTRAST) return color
  return cssColour(ensureContrast(parsed, [ground], MIN_CONTRAST))
}

async function readTheme(name: string, fallback: string): Promise<ThemeRegistrationAny> {
  if (name === 'css-variables') {
    return createCssVariablesTheme({ name, variablePrefix: '--mint-', variableDefaults: {}, fontStyle: true })
  }
  if (!/^[a-z0-9-]{1,60}$/.test(name)) return readTheme(fallback, fallback)
  try {
    const { default: theme } = await importFromPackage<{ default: ThemeRegistrationAny }>(
      '@shikijs/themes',
      `dist/${name}.mjs`,
    )
    return theme
  } catch (error) {
    if (name === fallback || !isModuleNotFound(error)) throw error
    return readTheme(fallback, fallback)
  }
}

/** Returns a color that is safe in a `style` attribute. */
function safeColor(color: string): string {
  return /^[#\w(),.%\s-]{1,80}$/.test(color) ? color : 'inherit'
}

function fontStyle(bits: number): string {
  const parts: string[] = []
  if (bits & 1) parts.push('font-style:italic')
  if (bits & 2) parts.push('font-weight:bold')
  if (bits & 12)
    parts.push(`text-decoration:${bits & 4 ? 'underline' : ''}${bits & 8 ? ' line-through' : ''}`)
  return parts.join(';')
}
