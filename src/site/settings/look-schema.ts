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

export const DEFAULT_PRIMARY = '#0f766e'
const LIGHT_CODE_THEME = 'github-light-default'
const DARK_CODE_THEME = 'dark-plus'

export const colors = mappedWithDefault(
  fields('Brand colours: # followed by three or six hexadecimal digits.', {
    primary: color('Accent colour on light pages, and the default for the other colours.'),
    light: color('Accent colour on dark pages. Default: primary.'),
    dark: color('Colour of buttons. Default: primary.'),
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
  mapped(imageForms(about, fields('One image for each colour scheme.', images)), resolveThemedImage)

/** One path for both color schemes, or one for each; a missing path defaults to that of the other scheme. */
function resolveThemedImage(value: string | ImageForms, { problems, node, path }: SettingContext) {
  const { light, dark } = typeof value === 'string' ? { light: value, dark: value } : value
  const image = light ?? dark
  if (image === null) return null
  if (light === null || dark === null) {
    const missing = light === null ? 'light' : 'dark'
    const message = `${path} has no ${missing} image, so the other one is used in both colour schemes.`
    reportSetting(problems, node, 'config.required', 'hint', message, `Add ${path}.${missing}.`)
  }
  return { light: light ?? image, dark: dark ?? image }
}

export const logo = mapped(
  imageForms(
    'Image at the start of the top bar.',
    fields('One image for each colour scheme.', {
      ...images,
      href: path('Link target of the logo. Default: the first page in the current language.'),
    }),
  ),
  (value, settingContext) => {
    const both = resolveThemedImage(value, settingContext)
    return both && { ...both, href: typeof value === 'string' ? null : value.href }
  },
)

export const favicon = themedImage('Icon in the browser tab.')

const font = {
  family: text('Name of the font family.'),
  weight: amount('Weight: 400, 550 …'),
  source: path('Path or URL of the font file.'),
  format: choice('Format of the file. Default: detected from its name.', ['woff', 'woff2']),
}

interface FontFields {
  family: string | null
  weight: number | null
  source: string | null
  format: 'woff' | 'woff2' | null
}

function completeFont({ family, weight, source, format }: FontFields) {
  return family === null ? null : { family, weight, source, format: format ?? detectFontFormat(source) }
}

function detectFontFormat(source: string | null): FontFields['format'] {
  const extension = /\.(woff2?)(?:[?#]|$)/i.exec(source ?? '')?.[1]?.toLowerCase()
  return extension === 'woff' || extension === 'woff2' ? extension : null
}

export const fonts = mappedWithDefault(
  fields('Typography.', {
    ...font,
    heading: mappedWithDefault(fields('Font of headings.', font), completeFont),
    body: mappedWithDefault(fields('Font of text.', font), completeFont),
  }),
  ({ heading, body, ...both }) => ({
    heading: heading ?? completeFont(both),
    body: body ?? completeFont(both),
  }),
)

export const background = fields('Background of pages.', {
  decoration: choice('Decorative pattern in the background.', ['gradient', 'grid', 'windows']),
  color: fields('Background colour.', {
    light: color('Colour for the light colour scheme.'),
    dark: color('Colour for the dark colour scheme.'),
  }),
  image: themedImage('Background image.'),
})

const codeTheme = text('Name of a code theme, such as github-light-default.')

/** Names of themes are not validated here; the highlighter does that. */
const codeblocks = mappedWithDefault(
  oneOf(
    'Colours of code: `system` follows the page, `dark` is always dark, or the name of a theme.',
    text('system, dark, or the name of a theme.', { default: 'system' }),
    fields('Themes and languages of code.', {
      theme: oneOf(
        'A theme, or one for each colour scheme.',
        codeTheme,
        fields('One for each colour scheme.', { light: codeTheme, dark: codeTheme }),
      ),
      languages: fields('Additional languages.', {
        custom: list('Grammars for additional languages.', text('Path of a TextMate grammar in JSON.')),
      }),
    }),
  ),
  (value) => {
    if (value === 'dark') return { light: DARK_CODE_THEME, dark: DARK_CODE_THEME }
    const theme =
      value === 'system' || value === null ? null : typeof value === 'string' ? value : value.theme
    if (typeof theme === 'string') return { light: theme, dark: theme }
    return { light: theme?.light ?? LIGHT_CODE_THEME, dark: theme?.dark ?? DARK_CODE_THEME }
  },
)

export const styling = fields('Page styles.', {
  eyebrows: choice(
    'Text above the page title: `section` shows the group, `breadcrumbs` shows all levels.',
    ['section', 'breadcrumbs'],
    'section',
  ),
  latex: flag(
    'false: dollar signs are text and pages have no formulas. true: every page loads the styles for formulas. Default: only pages with formulas load them.',
  ),
  codeblocks,
})

export const thumbnails = mappedWithDefault(
  fields('Preview images for links to pages.', {
    appearance: choice('Colour scheme of generated images.', ['light', 'dark']),
    background: text('Preview image (PNG, JPEG, WebP) for pages that do not set one.'),
    fonts: fields('Font of generated images. Only the built-in font is available.', {
      family: font.family,
    }),
  }),
  ({ appearance, background }) => ({ appearance, background }),
)
