/** `api` of docs.json: how pages of interfaces look. */
import type { Problem } from '../contract/problem.ts'
import type { SiteConfig } from './config.ts'
import { fieldOf, isList, type JsonNode } from './json.ts'
import { readChoice, readFlag, readText } from './read-json.ts'

/** Languages of generated samples where the site names none. */
const STANDARD_LANGUAGES = ['bash', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'csharp']

export function readApi(problems: Problem[], node: JsonNode | undefined): SiteConfig['api'] {
  const mdx = fieldOf(node, 'mdx')
  const auth = fieldOf(mdx, 'auth')
  const params = fieldOf(node, 'params')
  const playground = fieldOf(node, 'playground')
  const displays = ['interactive', 'simple', 'none', 'auth'] as const
  return {
    playground:
      readChoice(problems, fieldOf(playground, 'display'), 'api.playground.display', displays) ??
      'interactive',
    proxy: readFlag(problems, fieldOf(playground, 'proxy'), 'api.playground.proxy') ?? true,
    credentials:
      readFlag(problems, fieldOf(playground, 'credentials'), 'api.playground.credentials') ?? false,
    isExpanded:
      readChoice(problems, fieldOf(params, 'expanded'), 'api.params.expanded', ['all', 'closed']) === 'all',
    pills: readTexts(problems, fieldOf(params, 'post'), 'api.params.post'),
    hasFullUrl: readChoice(problems, fieldOf(node, 'url'), 'api.url', ['full']) === 'full',
    examples: readExamples(problems, fieldOf(node, 'examples')),
    baseUrls: readTexts(problems, fieldOf(mdx, 'server'), 'api.mdx.server'),
    authMethod: readText(problems, fieldOf(auth, 'method'), 'api.mdx.auth.method'),
    authName: readText(problems, fieldOf(auth, 'name'), 'api.mdx.auth.name'),
  }
}

function readExamples(problems: Problem[], node: JsonNode | undefined): SiteConfig['api']['examples'] {
  const languages = readTexts(problems, fieldOf(node, 'languages'), 'api.examples.languages')
  return {
    languages: languages.length > 0 ? languages : STANDARD_LANGUAGES,
    isRequiredOnly:
      readChoice(problems, fieldOf(node, 'defaults'), 'api.examples.defaults', ['required', 'all']) ===
      'required',
    isPrefilled: readFlag(problems, fieldOf(node, 'prefill'), 'api.examples.prefill') ?? false,
    isGenerated: readFlag(problems, fieldOf(node, 'autogenerate'), 'api.examples.autogenerate') ?? true,
  }
}

/** One text or a list of texts. */
function readTexts(problems: Problem[], node: JsonNode | undefined, path: string): string[] {
  const items = node && isList(node.value) ? node.value : node ? [node] : []
  return items.flatMap((one) => readText(problems, one, path) ?? [])
}
