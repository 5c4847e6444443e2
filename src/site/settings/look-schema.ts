/** Settings for the look of a site: colors, images for two color schemes, fonts, background, code themes. */
import { reportSetting } from '../read-json.ts'
import {
  amount,
  choice,
  color,
  fields,
  flag,
  list,
  mapped,
  mappedWithDefault,
  oneOf,
  path,
  type SettingContext,
  type SettingSchema,
  text,
} from './schema-parts.ts'

/** Primary color of sites that do not configure one. */
export const DEFAULT_PRIMARY = '#0f766e'
const LIGHT_CODE = 'github-light-default'
const DARK_CODE = 'dark-plus'

export const colors = mappedWithDefault(
  fields('Colours of the brand, as # with three or six hexadecimal digits.', {
    primary: color('Emphasis on light pages; alone, it is used for everything.'),
    light: color('Emphasis on dark pages; primary when it is left out.'),
    dark: color('Buttons; primary when it is left out.'),
  }),
  ({ primary, light, dark }) => {
    const main = primary ?? DEFAULT_PRIMARY
    return { primary: main, light: light ?? main, dark: dark ?? main }
  },
)

interface ImageForms {
  light: string | null
  dark: string | null
}

const images = {
  light: path('Image on light pages.'),
  dark: path('Image on dark pages.'),
}

const imageForms = <Forms>(about: string, forms: SettingSchema<Forms>) =>
  oneOf(about, path('One image for both colour schemes.'), forms)

const themedImage = (about: string) =>
  mapped(imageForms(about, fields('One image for each colour scheme.', images)), bothImages)

/** One path for both color schemes, or one for each; a missing one uses the other. */
function bothImages(value: string | ImageForms, { problems, node, path }: SettingContext) {
  const { light, dark } = typeof value === 'string' ? { light: value, dark: value } : value
  const image = light ?? dark
  if (image === null) return null
  if (light === null || dark === null) {
    const missing = light === null ? 'light' : 'dark'
    const message = `${path} has no ${missing} image; the other one is used in both modes.`
    reportSetting(problems, node, 'config.required', 'hint', message, `Add ${path}.${missing}.`)
  }
  return { light: light ?? image, dark: dark ?? image }
}

export const logo = mapped(
  imageForms(
    'Image at the start of the top bar.',
    fields('One image for each colour scheme.', {
      ...images,
      href: path('Where it leads; the first page of the language when it is left out.'),
    }),
  ),
  (value, settingContext) => {
    const both = bothImages(value, settingContext)
    return both && { ...both, href: typeof value === 'string' ? null : value.href }
  },
)

export const favicon = themedImage('Sign in the tab of the browser.')

const font = {
  family: text('Name of the font family.'),
  weight: amount('Weight: 400, 550 …'),
  source: path('Path or address of the font file.'),
  format: choice('Format of the file; known from its name.', ['woff', 'woff2']),
}

interface FontFields {
  family: string | null
  weight: number | null
  source: string | null
  format: 'woff' | 'woff2' | null
}

function wholeFont({ family, weight, source, format }: FontFields) {
  return family === null ? null : { family, weight, source, format: format ?? formatOf(source) }
}

function formatOf(source: string | null): FontFields['format'] {
  const extension = /\.(woff2?)(?:[?#]|$)/i.exec(source ?? '')?.[1]?.toLowerCase()
  return extension === 'woff' || extension === 'woff2' ? extension : null
}

export const fonts = mappedWithDefault(
  fields('Typography.', {
    ...font,
    heading: mappedWithDefault(fields('Font of headings.', font), wholeFont),
    body: mappedWithDefault(fields('Font of text.', font), wholeFont),
  }),
  ({ heading, body, ...both }) => ({
    heading: heading ?? wholeFont(both),
    body: body ?? wholeFont(both),
  }),
)

export const background = fields('Behind the page.', {
  decoration: choice('A pattern.', ['gradient', 'grid', 'windows']),
  color: fields('Colour of the page.', { light: color('On light pages.'), dark: color('On dark pages.') }),
  image: themedImage('An image.'),
})

const codeTheme = text('Name of a theme for code, such as github-light-default.')

/** Names of themes are not validated here; the highlighter does that. */
const codeblocks = mappedWithDefault(
  oneOf(
    'Colours of code: `system` follows the page, `dark` never does, or the name of a theme.',
    text('system, dark, or the name of a theme.', { default: 'system' }),
    fields('Themes and languages.', {
      theme: oneOf(
        'A theme, or one for each colour scheme.',
        codeTheme,
        fields('One for each colour scheme.', { light: codeTheme, dark: codeTheme }),
      ),
      languages: fields('More languages.', {
        custom: list('Grammars.', text('Path of a TextMate grammar as JSON.')),
      }),
    }),
  ),
  (value) => {
    if (value === 'dark') return { light: DARK_CODE, dark: DARK_CODE }
    const theme =
      value === 'system' || value === null ? null : typeof value === 'string' ? value : value.theme
    if (typeof theme === 'string') return { light: theme, dark: theme }
    return { light: theme?.light ?? LIGHT_CODE, dark: theme?.dark ?? DARK_CODE }
  },
)

export const styling = fields('Details of pages.', {
  eyebrows: choice('Above the title: the group, or all of them.', ['section', 'breadcrumbs'], 'section'),
  latex: flag(
    'false: dollars are text, and no page has formulas. true: every page loads their style, which else only those with formulas do.',
  ),
  codeblocks,
})

export const thumbnails = mappedWithDefault(
  fields('Images that chats show beside a link to a page.', {
    appearance: choice('Colour scheme of pictures that are drawn.', ['light', 'dark']),
    background: text('Image (PNG, JPEG, WebP) for pages without one of their own.'),
    fonts: fields('Font of drawn pictures; they have the one that comes with every site.', {
      family: font.family,
    }),
  }),
  ({ appearance, background }) => ({ appearance, background }),
)
