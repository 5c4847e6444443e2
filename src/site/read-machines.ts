/** Settings for those that read a site with other eyes: search engines, agents, chats and services of measurement. */
import type { Problem } from '../contract/problem.ts'
import type { SiteConfig } from './config.ts'
import { fieldOf, isFields, isList, type JsonNode } from './json.ts'
import { readChoice, readFields, readFlag, readItems, readText } from './read-json.ts'

export function readSeo(problems: Problem[], node: JsonNode | undefined): SiteConfig['seo'] {
  readFields(problems, node, 'seo')
  const organization = fieldOf(node, 'organization')
  readFields(problems, organization, 'seo.organization')
  const about = (key: string) => readText(problems, fieldOf(organization, key), `seo.organization.${key}`)
  return {
    indexing:
      readChoice(problems, fieldOf(node, 'indexing'), 'seo.indexing', ['navigable', 'all']) ?? 'navigable',
    metatags: readTags(problems, fieldOf(node, 'metatags'), 'seo.metatags'),
    paths: readTaggedPaths(problems, fieldOf(node, 'paths')),
    organization: {
      id: about('id'),
      name: about('name'),
      legalName: about('legalName'),
      url: about('url'),
      logo: about('logo'),
      sameAs: readItems(problems, fieldOf(organization, 'sameAs'), 'seo.organization.sameAs').flatMap(
        (item) => readText(problems, item, 'seo.organization.sameAs') ?? [],
      ),
    },
    trailingSlash: readFlag(problems, fieldOf(node, 'trailingSlash'), 'seo.trailingSlash') ?? false,
  }
}

function readTags(problems: Problem[], node: JsonNode | undefined, path: string): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const [name, value] of readFields(problems, node, path) ?? []) {
    const text =
      typeof value.value === 'boolean' ? String(value.value) : readText(problems, value, `${path}.${name}`)
    if (text !== null && name !== '__proto__') tags[name] = text
  }
  return tags
}

function readTaggedPaths(problems: Problem[], node: JsonNode | undefined): SiteConfig['seo']['paths'] {
  const paths = readItems(problems, node, 'seo.paths').flatMap((item) => {
    const path = readText(problems, fieldOf(item, 'path'), 'seo.paths.path')
    if (path === null) return []
    const parts = path.split('/').filter((part) => part !== '' && part !== '*' && part !== '**')
    const metatags = readTags(problems, fieldOf(item, 'metatags'), 'seo.paths.metatags')
    return [{ path: parts.map((part) => `/${part}`).join(''), metatags }]
  })
  return paths.sort((a, b) => b.path.length - a.path.length)
}

export function readMarkdown(problems: Problem[], node: JsonNode | undefined): SiteConfig['markdown'] {
  readFields(problems, node, 'markdown')
  const written = fieldOf(node, 'instructions')
  const lines = written && isList(written.value) ? written.value : written ? [written] : []
  const texts = lines.flatMap((line) => readText(problems, line, 'markdown.instructions') ?? [])
  return {
    schema: readFlag(problems, fieldOf(node, 'schema'), 'markdown.schema') ?? true,
    instructions: texts.join('\n') || null,
  }
}

export function readThumbnails(problems: Problem[], node: JsonNode | undefined): SiteConfig['thumbnails'] {
  return {
    appearance: readChoice(problems, fieldOf(node, 'appearance'), 'thumbnails.appearance', ['light', 'dark']),
    background: readText(problems, fieldOf(node, 'background'), 'thumbnails.background'),
  }
}

/** Kept as they are: what a service needs is known where its script is written. */
export function readIntegrations(
  problems: Problem[],
  node: JsonNode | undefined,
): SiteConfig['integrations'] {
  const integrations: Record<string, Record<string, string | number | boolean>> = {}
  for (const [name, entry] of (node && isFields(node.value) && node.value) || []) {
    const fields = readFields(problems, entry, `integrations.${name}`)
    if (!fields || name === '__proto__') continue
    const settings: Record<string, string | number | boolean> = {}
    for (const [key, { value }] of fields) {
      if (key === '__proto__') continue
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        settings[key] = value
    }
    integrations[name] = settings
  }
  return integrations
}
