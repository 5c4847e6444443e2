/** Settings for the surroundings of a page: top bar, footer, banner, page menu. */
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

/** Not resolved here, because its meaning depends on the style and library next to it. */
export const icon = oneOf(
  'Name of an icon, address or path of an image, or an SVG.',
  text('Name, address, path or SVG.'),
  fields('An icon of a certain style or library.', {
    name: text('Name of the icon.'),
    style: text('Style: solid, regular, brands …'),
    library: choice('Set of icons.', ICON_LIBRARIES),
  }),
)

/** If one color scheme is missing, it uses the color of the other. */
export const colorPair = mapped(
  oneOf(
    'One colour, or one for each colour scheme.',
    color('A colour.'),
    fields('One for each colour scheme.', { light: color('On light pages.'), dark: color('On dark pages.') }),
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
      dismissible: flag('Readers can close it; it comes back when the text changes.', false),
      type: choice('Colour by meaning.', ['info', 'warning', 'critical'], 'info'),
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
  href: path('Where it leads.'),
  url: former('href', path('')),
  ...iconFields,
}

type LinkFields = { [Key in keyof typeof link]: ValueOf<(typeof link)[Key]> } & {
  type: (typeof LINK_KINDS)[number] | null
}

/** A lone icon is labeled with its name; only repository and chat links have a default icon without both. */
function completeLink(value: LinkFields, settingContext: SettingContext) {
  const href = value.href ?? value.url
  const icon = readIcon(value.icon, value.iconType, settingContext.library)
  const label = value.label ?? (icon?.kind === 'name' && href !== null ? icon.name : null)
  const type = value.type ?? 'link'
  if (href !== null && (label !== null || type === 'github' || type === 'discord'))
    return { type, label, href, icon }
  const missing = href === null ? 'href' : 'label'
  leaveOut(
    settingContext,
    `This entry of ${settingContext.path} has no ${missing} and is left out.`,
    `Add ${missing}, or remove the entry.`,
  )
  return null
}

function leaveOut({ problems, node }: SettingContext, message: string, remedy: string): void {
  reportSetting(problems, node, 'config.required', 'warning', message, remedy)
}

export const navbar = fields('The bar at the top.', {
  links: list(
    'Links at its end.',
    mapped(
      fields('One link.', {
        type: choice('A link to a repository or a chat has its sign.', LINK_KINDS),
        ...link,
      }),
      completeLink,
    ),
  ),
  primary: mapped(
    fields('The button at its end.', {
      type: choice('A plain button, or one with a sign.', ['button', 'github', 'discord', 'link'], 'button'),
      ...link,
    }),
    completeLink,
  ),
})

export const footer = fields('The end of every page.', {
  socials: mapped(
    fields(
      'Addresses of the project elsewhere.',
      Object.fromEntries(SOCIALS.map((name) => [name, text('Whole address.')])),
    ),
    (_, { node, path }) => {
      const all = isFields(node.value) ? [...node.value] : []
      // Unknown names cause a hint, but the URL is used.
      const hrefs = all.map(([name, one]) => ({ name, href: readText([], one, path) }))
      return hrefs.filter((one): one is { name: string; href: string } => one.href !== null)
    },
    () => [],
  ),
  links: list(
    'Columns of links.',
    mapped(
      fields('One column.', {
        header: text('Title of the column.'),
        items: list(
          'Its links.',
          mapped(
            fields('One link.', { label: text('Text.'), href: path('Where it leads.') }),
            ({ label, href }, settingContext) => {
              if (label !== null && href !== null) return { label, href }
              const message = 'This link of the footer has no label or no href and is left out.'
              leaveOut(settingContext, message, 'Give it both, or remove it.')
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
    'Where it leads; `$page` is the address of the page as Markdown, `$path` its path, `$mcp` the MCP server.',
    text('Address.'),
    fields('Address with query.', {
      base: text('Address.'),
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
  fields('The menu beside the title of a page.', {
    options: list(
      'Its entries in order. What a deployment cannot do is left out.',
      oneOf(
        'A known entry, or one of your own.',
        choice('A known entry.', PAGE_ACTIONS),
        mapped(
          fields('An entry of your own.', {
            title: text('Its name.'),
            description: text('A line below the name.'),
            ...iconFields,
            href: actionHref,
          }),
          ({ title, description, icon, iconType, href }, settingContext) => {
            if (title !== null && href !== null)
              return { title, description, icon: readIcon(icon, iconType, settingContext.library), href }
            const message = 'This entry of contextual.options has no title or no href and is left out.'
            leaveOut(settingContext, message, 'Give it both, or remove it.')
            return null
          },
        ),
      ),
    ),
    display: choice('Where the menu stands.', ['header', 'toc'], 'header'),
  }),
  ({ options, display }) => ({ options: [...new Set(options)], display }),
)
