/** Settings for those that read a site with other eyes: search engines and agents; and the texts that pages share. */
import { fieldOf } from '../json.ts'
import { reportSetting } from '../read-json.ts'
import {
  choice,
  fields,
  flag,
  list,
  made,
  type SettingPlace,
  type SettingSchema,
  settled,
  shared,
  table,
  text,
  texts,
} from './schema-parts.ts'

const plainText = made({ anyOf: [{ type: 'string' }, { type: 'boolean' }] } as SettingSchema<unknown>, String)

export const metatags = table(
  'Name of a tag to its content. `canonical` is the address that all canonical addresses begin with; `robots: noindex` keeps the whole site out of every index.',
  plainText,
)

const tags = shared('metatags', () => metatags)

/** Tags of folders, the deepest folder first; paths begin with a slash and end without one. */
const taggedPaths = settled(
  list(
    'Tags of folders; the deeper folder wins, and the page over all.',
    made(fields('One folder.', { path: text('The folder.'), metatags: tags }), ({ path, metatags }) => {
      if (path === null) return null
      const parts = path.split('/').filter((part) => part !== '' && part !== '*' && part !== '**')
      return { path: parts.map((part) => `/${part}`).join(''), metatags }
    }),
  ),
  (paths) => paths.toSorted((a, b) => b.path.length - a.path.length),
)

export const seo = fields('Search engines.', {
  indexing: choice(
    'Which pages they get: those of the navigation, or hidden ones too.',
    ['navigable', 'all'],
    'navigable',
  ),
  metatags: tags,
  paths: taggedPaths,
  organization: fields('Who publishes the site.', {
    id: text('Its address as an identifier.'),
    name: text('Name; that of the site when it is left out.'),
    legalName: text('Name before the law.'),
    url: text('Address.'),
    logo: text('Path or address of its logo.'),
    sameAs: list('Its other addresses.', text('Address.')),
  }),
  trailingSlash: flag('Addresses told to the outside end with a slash.', false),
})

export const markdown = settled(
  fields('What agents read.', {
    schema: flag('Pages of an operation name their API description.', true),
    instructions: texts('A request to agents, on every page they read.', 'A line.'),
  }),
  ({ schema, instructions }) => ({ schema, instructions: instructions.join('\n') || null }),
)

export const variables = made(
  table('Texts that pages show where the name stands in two pairs of braces.', plainText),
  withoutOddNames,
  () => ({}),
)

function withoutOddNames(
  value: Readonly<Record<string, string>>,
  { problems, node }: SettingPlace,
): Readonly<Record<string, string>> {
  const isOdd = (name: string) => !/^[\p{L}\p{N}_-]+$/u.test(name)
  for (const name of Object.keys(value).filter(isOdd)) {
    const message = `The variable name ${JSON.stringify(name)} has other characters than letters, digits and hyphens.`
    const place = fieldOf(node, name) ?? node
    reportSetting(problems, place, 'config.value', 'warning', message, 'Rename the variable.')
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isOdd(name)))
}
