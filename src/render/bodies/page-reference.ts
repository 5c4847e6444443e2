/** What a page shows of an interface: of a description, or of the call that its own frontmatter names. */
import type { Site, SitePage } from '../../site/model.ts'
import { isSpecUrl } from '../../site/reference/spec-sources.ts'
import { createFieldScope } from '../api/field-scope.ts'
import { handWrittenReference } from '../api/hand-written.ts'
import { makeReference } from '../api/make-reference.ts'
import { type ApiReference, LIMITS } from '../api/reference.ts'
import { apiWords } from '../words/api-words.ts'
import { uiText } from '../words/ui-text.ts'

/** `text` is the page as it is written. Null for pages that show nothing of an interface. */
export async function pageReference(site: Site, page: SitePage, text: string): Promise<ApiReference | null> {
  const { operation } = page
  if (page.unfilled !== null) return missingReference(page, page.unfilled)
  if (!operation) return ownReference(site, page, text)
  const document = site.apis.get(operation.spec)
  const named = `${operation.spec} ${operation.method} ${operation.path}`
  if (!document) return missingReference(page, named)
  const made = await makeReference({
    document,
    operation,
    settings: site.config.api,
    words: apiWords(uiText(page.language)),
    shown: page.description ?? '',
  })
  const source = isSpecUrl(operation.spec) ? '' : operation.spec
  if (made === null) return missingReference(page, named)
  return { ...made, source, isAbove: false, isExpanded: site.config.api.isExpanded }
}

/** A page whose description cannot be had says so, and is not blank. */
function missingReference(page: SitePage, what: string): ApiReference {
  const words = apiWords(uiText(page.language))
  const blocks: ApiReference['blocks'] = [{ kind: 'missing', text: words.apiMissing, what }]
  const panels = { request: null, bodies: null, responses: null }
  return { source: '', words, blocks, ...panels, isAbove: true, isExpanded: false }
}

const CALL = /^\s*(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\s+(\S+)/i

async function ownReference(site: Site, page: SitePage, text: string): Promise<ApiReference | null> {
  const { api, authMethod } = page.frontmatter
  const call = typeof api === 'string' ? CALL.exec(api) : null
  if (!call) return null
  const settings = site.config.api
  const bounds = { depth: LIMITS.depths[0], fieldsLeft: LIMITS.fields }
  const scope = createFieldScope({}, settings, apiWords(uiText(page.language)), bounds)
  const made = await handWrittenReference(scope, {
    method: (call[1] as string).toUpperCase(),
    address: call[2] as string,
    auth: typeof authMethod === 'string' ? authMethod : settings.authMethod,
    authName: settings.authName,
    text,
  })
  return { ...made, source: page.file ?? '', isAbove: true, isExpanded: false }
}
