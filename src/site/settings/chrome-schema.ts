/** Settings for the layout around a page: top bar, footer, banner, page menu. */
import { readIcon } from '../icon.ts'
import { isFields } from '../json.ts'
import { readText, reportSetting } from '../read-json.ts'
import {
  choice,
  color,
  fields,
  flag,
  former,
  list,
  mapped,
  oneOf,
  path,
  type SettingContext,
  shared,
  text,
  type ValueOf,
} from './schema-parts.ts'

export const ICON_LIBRARIES = ['fontawesome', 'lucide', 'tabler'] as const
const SOCIALS = (
  'x website facebook youtube discord slack github linkedin instagram hacker-news medium telegram twitter ' +
  'x-twitter earth-americas bluesky threads reddit podcast'
).split(' ')
const PAGE_ACTIONS = (
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop ' +
  'windsurf mcp add-mcp cursor vscode devin-mcp'
).split(' ')

/** An icon that is resolved later, because its meaning depends on other settings for style and library. */
export const icon = oneOf(
  'Icon name, URL or path of an image, or SVG.',
  text('Name, URL, path or SVG.'),
  fields('An icon of a specific style or library.', {
    name: text('Name of the icon.'),
    style: text('Style: solid, regular, brands …'),
    library: choice('Icon library.', ICON_LIBRARIES),
  }),
)

/** If the color for one color scheme is missing, the color for the other scheme is used. */
export const colorPair = mapped(
  oneOf(
    'One colour, or one for each colour scheme.',
    color('A colour.'),
    fields('One for each colour scheme.', {
      light: color('Colour for the light colour scheme.'),
      dark: color('Colour for the dark colour scheme.'),
    }),
  ),
  (value) => {
    const { light, dark } = typeof value === 'string' ? { light: value, dark: value } : value
    const either = light ?? dark
    return either === null ? null : { light: light ?? either, dark: dark ?? either }
  },
)

export const banner = mapped(
  oneOf(
    'An announcement above the top bar.',
    text('Inline Markdown.'),
    fields('An announcement above the top bar.', {
      content: text('Inline Markdown: links, bold, italics.'),
      dismissible: flag('Readers can close the banner. It appears again when its text changes.', false),
      type: choice(
        'Type of the announcement, which sets its colour.',
        ['info', 'warning', 'critical'],
        'info',
      ),
      color: shared('colorPair', () => colorPair),
    }),
  ),
  (value) => {
    if (typeof value === 'string')
      return { content: value, isDismissible: false, type: 'info' as const, color: null }
    const { content, dismissible, type, color } = value
    return content === null ? null : { content, isDismissible: dismissible, type, color }
  },
)

const iconFields = { icon: shared('icon', () => icon), iconType: text('Style of the icon.') }

const LINK_KINDS = ['link', 'github', 'discord', 'button'] as const
const link = {
  label: text('Text of the link.'),
  href: path('URL or path.'),
  url: former('href', path('')),
  ...iconFields,
}

type LinkFields = { [Key in keyof typeof link]: ValueOf<(typeof link)[Key]> } & {
  type: (typeof LINK_KINDS)[number] | null
}

/**
 * Labels a lone icon with its name. Only repository and chat links may lack both label and icon, because they
 * have a default icon.
 */
function completeLink(value: LinkFields, settingContext: SettingContext) {
  const href = value.href ?? value.url
  const icon = readIcon(value.icon, value.iconType, settingContext.library)
  const label = value.label ?? (icon?.kind === 'name' && href !== null ? icon.name : null)
  const type = value.type ?? 'link'
  if (href !== null && (label !== null || type === 'github' || type === 'discord'))
    return { type, label, href, icon }
  const missing = href === null ? 'href' : 'label'
  reportLeftOut(
    settingContext,
    `This entry of ${settingContext.path} has no ${missing} and is ignored.`,
    `Add ${missing}, or remove the entry.`,
  )
  return null
}

function reportLeftOut({ problems, node }: SettingContext, message: string, remedy: string): void {
  reportSetting(problems, node, 'config.required', 'warning', message, remedy)
}

export const navbar = fields('Top bar.', {
  links: list(
    'Links at the end of the top bar.',
    mapped(
      fields('One link.', {
        type: choice('Type of the link. Links to a repository or chat have an icon.', LINK_KINDS),
        ...link,
      }),
      completeLink,
    ),
  ),
  primary: mapped(
    fields('Button at the end of the top bar.', {
      type: choice('A plain button, or one with an icon.', ['button', 'github', 'discord', 'link'], 'button'),
      ...link,
    }),
    completeLink,
  ),
})

export const footer = fields('Footer of every page.', {
  socials: mapped(
    fields(
      'Social media profiles of the project.',
      Object.fromEntries(SOCIALS.map((name) => [name, text('Full URL.')])),
    ),
    (_, { node, path }) => {
      const all = isFields(node.value) ? [...node.value] : []
      // An unknown name is reported as a hint, but its URL is used.
      const hrefs = all.map(([name, one]) => ({ name, href: readText([], one, path) }))
      return hrefs.filter((one): one is { name: string; href: string } => one.href !== null)
    },
    () => [],
  ),
  links: list(
    'Columns of links.',
    mapped(
      fields('One column.', {
        header: text('Heading of the column.'),
        items: list(
          'Links of the column.',
          mapped(
            fields('One link.', { label: text('Text.'), href: path('URL or path.') }),
            ({ label, href }, settingContext) => {
              if (label !== null && href !== null) return { label, href }
              const message = 'This footer link has no label or no href and is ignored.'
              reportLeftOut(settingContext, message, 'Add label and href, or remove the entry.')
              return null
            },
          ),
        ),
      }),
      (column) => (column.items.length > 0 ? column : null),
    ),
  ),
})

/** The placeholders `$page`, `$path` and `$mcp` are resolved in the reader's browser. */
const actionHref = mapped(
  oneOf(
    'URL or path. `$page` is the URL of the page as Markdown, `$path` its path, `$mcp` the URL of the MCP server.',
    text('URL.'),
    fields('URL with query parameters.', {
      base: text('URL.'),
      query: list('Query.', fields('A pair.', { key: text('Name.'), value: text('Value.') })),
    }),
  ),
  (value) => {
    if (typeof value === 'string') return value
    const { base, query } = value
    const pairs = query.flatMap(({ key, value: rawValue }) =>
      key === null ? [] : [`${encodeURIComponent(key)}=${encodePlaceholders(rawValue ?? '')}`],
    )
    if (base === null || pairs.length === 0) return base
    return `${base}${base.includes('?') ? '&' : '?'}${pairs.join('&')}`
  },
)

function encodePlaceholders(value: string): string {
  return encodeURIComponent(value).replace(/%24(page|path|mcp)/g, '$$$1')
}

export const contextual = mapped(
  fields('The menu next to the title of a page.', {
    options: list(
      'Entries of the menu, in order. Entries that a deployment does not support are hidden.',
      oneOf(
        'A built-in or custom entry.',
        choice('A built-in entry.', PAGE_ACTIONS),
        mapped(
          fields('A custom entry.', {
            title: text('Title.'),
            description: text('Text below the title.'),
            ...iconFields,
            href: actionHref,
          }),
          ({ title, description, icon, iconType, href }, settingContext) => {
            if (title !== null && href !== null)
              return { title, description, icon: readIcon(icon, iconType, settingContext.library), href }
            const message = 'This entry of contextual.options has no title or no href and is ignored.'
            reportLeftOut(settingContext, message, 'Add title and href, or remove the entry.')
            return null
          },
        ),
      ),
    ),
    display: choice('Position of the menu.', ['header', 'toc'], 'header'),
  }),
  ({ options, display }) => ({ options: [...new Set(options)], display }),
)
