/** What a site needs beside its pages and files: a start page, the page for missing ones, redirects, lists for machines. */
import type { SitePage } from '../site/model.ts'
import { depthOfPath } from './assets.ts'
import { encodePath, type LinkRewriter, normalisePath, routeUrl } from './links.ts'
import { llmsTxt, redirectsFile, robotsTxt, sitemapXml } from './machine-files.ts'
import type { SiteManifest } from './manifest.ts'
import { type OutputNames, safePath } from './output-names.ts'
import type { RenderInput } from './render-site.ts'
import { octavoVersion } from './renderer-version.ts'
import type { SiteFiles } from './site-files.ts'
import type { Layout } from './theme/layout.ts'

interface FinishScope {
  input: RenderInput
  /** Pages that were written. */
  plan: readonly SitePage[]
  names: OutputNames
  links: LinkRewriter
  files: SiteFiles
  layout: Layout
}

export async function writeOwnFiles(scope: FinishScope): Promise<SiteManifest> {
  const { input, plan, files } = scope
  const isBundle = input.deployment !== 'cloud'
  await writeNotFound(scope)
  await writeMachineFiles(scope)
  if (isBundle) {
    await writeStart(scope)
    await writeRedirects(scope)
    // Some hosts leave folders that begin with an underscore away unless this file is there.
    await files.add('.nojekyll', '')
  }
  const manifest: SiteManifest = {
    format: 1,
    octavo: octavoVersion(),
    revision: input.tree.revision,
    deployment: input.deployment,
    features: input.features,
    pageCount: plan.length,
    files: files.list(),
    redirects: input.site.redirects.map(({ source, destination, isPermanent }) => ({
      source,
      destination,
      isPermanent,
    })),
  }
  if (!isBundle) return manifest
  await files.add('manifest.json', bundleManifest(manifest))
  return { ...manifest, files: files.list() }
}

/** The list that lies in the bundle itself: every other file with its size and SHA-256. */
function bundleManifest(manifest: SiteManifest): string {
  const { redirects: _, files, ...about } = manifest
  const listed = Object.entries(files).map(([path, { sha256, sizeBytes }]) => [path, { sha256, sizeBytes }])
  return `${JSON.stringify({ ...about, files: Object.fromEntries(listed) }, null, 2)}\n`
}

/**
 * Static hosts answer any missing address with this file, so behind a server its links count from the root of the
 * site; opened from disk they are relative as everywhere.
 */
const ROOT_BASE = `<script>location.protocol==='file:'||document.write('<base href="/">')</script>`

async function writeNotFound({ input, layout, files }: FinishScope): Promise<void> {
  const html = layout.notFound()
  await files.add(
    '404.html',
    input.deployment === 'cloud' ? html : html.replace('<head>', `<head>${ROOT_BASE}`),
  )
}

/** A site without a page at `/` opens at its first page. */
async function writeStart({ input, plan, links, files, layout }: FinishScope): Promise<void> {
  if (files.has('index.html')) return
  const routes = plan.map((page) => page.route)
  const home = input.site.homeRoute
  const start = home !== null && routes.includes(home) ? home : routes[0]
  if (start === undefined) return
  await files.add('index.html', layout.redirect(links.rewriteLink(`/${encodePath(start.slice(1))}`, 0)))
}

/** A page for each old address that can be a file, and a rule file for hosts that read one. */
async function writeRedirects({ input, names, links, files, layout }: FinishScope): Promise<void> {
  for (const { source, destination } of input.site.redirects) {
    if (/[*:]/.test(source)) continue
    const route = normalisePath(source).replace(/\.html$/, '')
    const path = safePath(route === '/' ? 'index.html' : `${route.slice(1)}.html`)
    if (files.has(path) || names.has(path)) continue
    const target = links.rewriteLink(normaliseTarget(destination), depthOfPath(path))
    await files.add(names.claim(path), layout.redirect(target))
  }
  const rules = redirectsFile(input.site)
  if (rules !== '' && !files.has('_redirects')) await files.add('_redirects', rules)
}

/** `guides/x` means `/guides/x`. */
function normaliseTarget(destination: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(destination) ? destination : `/${destination}`
}

/** A file of the same name that the site brings along stays. */
async function writeMachineFiles({ input, links, files }: FinishScope): Promise<void> {
  const { site, origin } = input
  if (origin !== null) await files.add('sitemap.xml', sitemapXml(site, origin))
  await files.add('robots.txt', robotsTxt(site, origin))
  const hrefOf = (route: string) =>
    origin === null ? links.rewriteLink(`/${encodePath(route.slice(1))}`, 0) : origin + routeUrl(site, route)
  await files.add('llms.txt', llmsTxt(site, hrefOf))
}
