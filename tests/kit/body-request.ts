/** Builds requests for the body renderer. */
import type { BodyRequest } from '../../src/render/page/body.ts'

export function requestOf(source: string, more: Partial<BodyRequest> = {}): BodyRequest {
  return {
    file: 'guides/page.mdx',
    source,
    bodyLine: 1,
    modules: [],
    variables: {},
    iconLibrary: 'lucide',
    codeThemes: { light: 'github-light-default', dark: 'dark-plus' },
    hasAnchors: true,
    hasMath: true,
    runLanguages: [],
    language: 'en',
    reference: null,
    ...more,
  }
}
