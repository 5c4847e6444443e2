/** Collects the input of a page's body and derives its cache key. */
import type { FileTree } from '../../base/files/file-tree.ts'
import { hashParts } from '../../base/hash.ts'
import { asObject, asText } from '../../openapi/api-json.ts'
import type { Site, SitePage } from '../../site/model.ts'
import { listReachableModules } from '../../site/pages/imports.ts'
import { isSpecUrl } from '../../site/reference/spec-sources.ts'
import { readTextFile } from '../../site/text.ts'
import { buildReference } from '../api/build-reference.ts'
import { createFieldScope } from '../api/field-scope.ts'
import { createHandWrittenReference } from '../api/hand-written.ts'
import { findOperation } from '../api/operation.ts'
import type { ApiReference } from '../api/reference.ts'
import { LIMITS } from '../api/reference.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import type { BodyRequest } from '../page/body.ts'
import { pickApiTexts } from '../words/api-texts.ts'
import { uiText } from '../words/ui-text.ts'

const CALL = /^\s*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\s+(\S+)/i

export interface PageSource {
  /** Cache key: digest of all input. */
  key: string
  request: BodyRequest
  /** Request as JSON. The key is its digest. */
  json: Uint8Array
}

/** Suffix of the file name for text from an API description. Line numbers of this text do not exist in the file. */
export const OPERATION_TEXT_SUFFIX = '#operation.mdx'

export interface SourceReader {
  read(page: SitePage): Promise<PageSource>
}

export function createSourceReader(site: Site, tree: FileTree): SourceReader {
  const texts = new Map<string, Promise<string>>()

  const readText = (path: string) => readTextFile(tree, path)

  /** Cached, because many pages use the same snippets. */
  const readModule = (path: string) => {
    const cached = texts.get(path)
    if (cached) return cached
    const text = readText(path)
    texts.set(path, text)
    return text
  }

  const ownText = async ({ text }: SitePage, file: string) =>
    text === null ? readText(file) : `${await readText(file)}\n\n${text}\n`

  const request = (
    page: SitePage,
    file: string,
    source: string,
    modules: BodyRequest['modules'],
    reference: ApiReference | null,
  ): BodyRequest => ({
    file,
    source,
    bodyLine: page.file === file ? page.bodyLine : 1,
    modules,
    variables: collectUsedVariables(site.config.variables, [
      source,
      ...modules.map((module) => module.source),
    ]),
    iconLibrary: site.config.icons.library,
    codeThemes: { light: site.config.styling.codeblocks.light, dark: site.config.styling.codeblocks.dark },
    hasAnchors: page.mode !== 'custom',
    hasMath: site.config.styling.latex !== false,
    runLanguages: site.config.samples.run,
    language: page.language,
    reference,
  })

  return {
    read: async (page) => {
      const text =
        page.file === null ? (page.text ?? getOperationContent(site, page)) : await ownText(page, page.file)
      const reference = await createPageReference(site, page, text)
      const modules = await Promise.all(
        (page.file === null ? [] : listReachableModules(site, page.file)).map(async ({ path }) => ({
          path,
          source: await readModule(path),
        })),
      )
      const createdReference =
        page.file === null
          ? request(page, (page.operation?.spec ?? '') + OPERATION_TEXT_SUFFIX, text, [], reference)
          : request(page, page.file, text, modules, reference)
      const json = Buffer.from(JSON.stringify(createdReference))
      return { key: hashParts('body', rendererVersion(), json), request: createdReference, json }
    },
  }
}

/** Returns `x-mint.content`, the text that the description contains for the operation's page. */
function getOperationContent(site: Site, { operation }: SitePage): string {
  const document = operation && site.apis.get(operation.spec)
  const found = document && findOperation(document.root, operation)
  return asText(asObject(found?.operation['x-mint']).content) ?? ''
}

/** Returns only the variables that the page uses, so that changing a variable does not render other pages again. */
function collectUsedVariables(
  all: Readonly<Record<string, string>>,
  texts: readonly string[],
): Record<string, string> {
  const names = Object.keys(all).filter((name) => texts.some((text) => text.includes(name)))
  return Object.fromEntries(names.sort().map((name) => [name, all[name] as string]))
}

// API content of a page, from a description or from `api` in its frontmatter.

/** Returns null for pages without API content. `text` is the source of the page. */
async function createPageReference(site: Site, page: SitePage, text: string): Promise<ApiReference | null> {
  const { operation } = page
  if (page.unfilled !== null) return createMissingReference(page, page.unfilled)
  if (!operation) return createFrontmatterReference(site, page, text)
  const document = site.apis.get(operation.spec)
  const named = `${operation.spec} ${operation.method} ${operation.path}`
  if (!document) return createMissingReference(page, named)
  const createdReference = await buildReference({
    document,
    operation,
    settings: site.config.api,
    words: pickApiTexts(uiText(page.language)),
    shown: page.description ?? '',
  })
  const source = isSpecUrl(operation.spec) ? '' : operation.spec
  if (createdReference === null) return createMissingReference(page, named)
  return { ...createdReference, source, isAbove: false, isExpanded: site.config.api.isExpanded }
}

/** Returns content to show if the description is unavailable. */
function createMissingReference(page: SitePage, what: string): ApiReference {
  const words = pickApiTexts(uiText(page.language))
  const blocks: ApiReference['blocks'] = [{ kind: 'missing', text: words.apiMissing, what }]
  const panels = { request: null, bodies: null, responses: null }
  return { source: '', words, blocks, ...panels, isAbove: true, isExpanded: false }
}

async function createFrontmatterReference(
  site: Site,
  page: SitePage,
  text: string,
): Promise<ApiReference | null> {
  const { api, authMethod } = page.frontmatter
  const call = typeof api === 'string' ? CALL.exec(api) : null
  if (!call) return null
  const settings = site.config.api
  const bounds = { depth: LIMITS.depths[0], fieldsLeft: LIMITS.fields }
  const scope = createFieldScope({}, settings, pickApiTexts(uiText(page.language)), bounds)
  const createdReference = await createHandWrittenReference(scope, {
    method: (call[1] as string).toUpperCase(),
    address: call[2] as string,
    auth: typeof authMethod === 'string' ? authMethod : settings.authMethod,
    authName: settings.authName,
    text,
  })
  return { ...createdReference, source: page.file ?? '', isAbove: true, isExpanded: false }
}
