/** What a page shows of an API description, by its frontmatter or its place in the navigation. */
import type { Site, SitePage } from '../site/model.ts'
import { isSpecUrl } from '../site/spec-sources.ts'
import { makeReference } from './api/make-reference.ts'
import type { ApiReference } from './api/reference.ts'
import { uiText } from './theme/ui-text.ts'
import { apiWords } from './theme/ui-words-api.ts'

/** Null for pages that show nothing of one. */
export async function pageReference(site: Site, page: SitePage): Promise<ApiReference | null> {
  const { operation } = page
  const document = operation && site.apis.get(operation.spec)
  if (!document) return null
  const made = await makeReference({
    document,
    operation,
    settings: site.config.api,
    words: apiWords(uiText(page.language)),
    shown: page.description ?? '',
  })
  return made && { ...made, source: isSpecUrl(operation.spec) ? '' : operation.spec }
}
