/** Reports references in docs.json that the site cannot resolve: images, and destinations of redirects. */
import type { Problem } from '../../base/errors/problem.ts'
import { getField, getNodeLine, type JsonNode } from '../json.ts'
import { createClosestFinder } from '../navigation/closest.ts'
import { type LinkSite, resolveLink } from '../navigation/links.ts'
import { quote } from '../problems.ts'

const IMAGE_SETTINGS = ['logo', 'favicon', 'background.image'].flatMap((path) => [
  path,
  `${path}.light`,
  `${path}.dark`,
])

export function checkTargets(problems: Problem[], site: LinkSite, root: JsonNode): void {
  checkImages(problems, site, root)
  checkDestinations(problems, site, getField(root, 'redirects'))
}

function checkImages(problems: Problem[], site: LinkSite, root: JsonNode): void {
  const closest = createClosestFinder([...site.assets].map((path) => `/${path}`))
  for (const path of IMAGE_SETTINGS) {
    const node = path.split('.').reduce<JsonNode | undefined>(getField, root)
    if (!node || typeof node.value !== 'string' || node.value.trim() === '') continue
    const target = resolveLink(site, null, node.value)
    if (target.kind !== 'missing') continue
    const near = closest.find(target.path)
    problems.push({
      file: node.source.file,
      line: getNodeLine(node),
      code: 'config.file_missing',
      level: 'warning',
      message: `${path} is set to ${quote(node.value)}, which does not exist.`,
      remedy: near ? `Did you mean ${near}?` : 'Add the file, or correct the path.',
    })
  }
}

/** Checks only destinations without parameters and wildcards; others cannot be checked. */
function checkDestinations(problems: Problem[], site: LinkSite, node: JsonNode | undefined): void {
  if (!node || !Array.isArray(node.value)) return
  const closest = createClosestFinder(site.pages.keys())
  for (const entry of node.value as readonly JsonNode[]) {
    const destination = getField(entry, 'destination')
    if (typeof destination?.value !== 'string' || /[*]|\/:/.test(destination.value)) continue
    const text = destination.value.trim()
    const target = resolveLink(site, null, text.startsWith('/') || text.includes(':') ? text : `/${text}`)
    if (target.kind !== 'missing') continue
    const near = closest.find(target.path)
    problems.push({
      file: destination.source.file,
      line: getNodeLine(destination),
      code: 'redirect.target_missing',
      level: 'warning',
      message: `The destination of this redirect, ${quote(text)}, does not exist.`,
      remedy: near
        ? `Did you mean ${near}?`
        : 'Change the destination to an existing page, or remove the redirect.',
    })
  }
}
