/** Writes the remaining files of a site: start page, not-found page, redirects, and files for programs. */

import { isCollecting } from '../../base/api/widgets.ts'
import { MCP_PATH } from '../../features/mcp/operations/mcp.ts'
import type { Site, SitePage } from '../../site/model.ts'
import type { Layout } from '../chrome/layout.ts'
import { HEADERS_FILE, hostingRecipes, SERVE_FILE } from '../hosting/hosting-recipes.ts'
import { buildRedirectJson, buildRedirectLines, listMovedPaths } from '../hosting/redirect-files.ts'
import { nginxRedirects } from '../hosting/redirect-rules.ts'
import { OUTPUT_FILE_PREFIX } from '../html/addresses.ts'
import { encodePath } from '../html/encode-path.ts'
import { type LinkRewriter, normalisePath, routeUrl } from '../links/links.ts'
import { sortByReadingOrder } from '../links/sort-pages.ts'
import { readBundleText } from '../machinery/own-bundles.ts'
import { octavoVersion } from '../machinery/renderer-version.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { FullText, WholeText } from '../versions/full-text.ts'
import type { SiteManifest } from '../versions/manifest.ts'
import { type OutputNames, safePath } from '../versions/output-names.ts'
import { discardText, type SiteFiles } from '../versions/site-files.ts'
import { languageTag } from '../words/ui-text.ts'
import { depthOfPath } from './assets.ts'
import {
  createLlmsTxt,
  createSectionTxt,
  FULL_TEXT_FILE,
  isSiteIndexed,
  LLMS_FILE,
  pagesForAgents,
  sitemapFiles,
} from './machine-files.ts'
import { PAGE_LIST_FILE } from './page-list.ts'
import { resolveWidgetSet } from './platform-file.ts'
import { sectionPages } from './section-lists.ts'
import { writeSkills } from './skill-files.ts'
import { createSoftwareBill, SBOM_FILE } from './software-bill.ts'
import { createPageList } from './write-page-list.ts'

interface FinishScope {
  input: RenderInput
  plan: readonly SitePage[]
  /** Target of `/` if the site has no page there. */
  start: string | null
  names: OutputNames
  links: LinkRewriter
  files: SiteFiles
  layout: Layout
  /** Markdown of all pages, for agents. */
  fullText: FullText
  /** Path of a style sheet that exists in every site, used to find the root of the site. */
  style: string
}

export async function writeGeneratedFiles(scope: FinishScope): Promise<SiteManifest> {
  const { input, plan, files } = scope
  const isBundle = input.deployment !== 'cloud'
  await writeNotFound(scope)
  const takesFeedback = isCollecting(resolveWidgetSet(input))
  await files.add(PAGE_LIST_FILE, createPageList({ ...scope, site: input.site, takesFeedback }))
  const fullText = await scope.fullText.finish()
  if (input.isPartial) discardText(fullText)
  else await writeMachineFiles(scope, fullText)
  if (isBundle) await writeStart(scope)
  if (isBundle && !input.isPartial) await writeBundleFiles(scope)
  const manifest: SiteManifest = {
    format: 2,
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
    start: scope.start,
    ...(isBundle ? {} : routedLanguages(input.site, plan)),
    ...getInstructions(input),
  }
  if (!isBundle || input.isPartial) return manifest
  await files.add('manifest.json', bundleManifest(manifest, input.signer))
  return { ...manifest, files: files.list() }
}

function getInstructions({ site, features }: RenderInput): Pick<SiteManifest, 'assistantInstructions'> {
  const { assistantInstructions } = site
  return features.assistant && assistantInstructions !== null ? { assistantInstructions } : {}
}

async function writeBundleFiles(scope: FinishScope): Promise<void> {
  await writeRedirects(scope)
  await writeHostingFiles(scope)
  // Without this file, some hosts ignore folders that start with an underscore.
  await scope.files.add('.nojekyll', '')
}

/** Returns the start pages by language, for redirects from `/`. Empty for a site with one language. */
function routedLanguages(site: Site, plan: readonly SitePage[]): Pick<SiteManifest, 'languages'> {
  const shown = sortByReadingOrder(site, plan).filter(({ isHidden }) => !isHidden)
  const languages = site.languages.flatMap(({ code }) => {
    const first = shown.find(({ language }) => language === code)
    return first ? [{ tag: languageTag(code), home: routeUrl(site, first.route) }] : []
  })
  return languages.length < 2 ? {} : { languages }
}

/** Returns the manifest of the bundle, which lists all other files with size and SHA-256. */
function bundleManifest(manifest: SiteManifest, signer: string | undefined): string {
  const {
    redirects: _,
    start: __,
    languages: ___,
    assistantInstructions: ____,
    files,
    ...manifestHead
  } = manifest
  const listed = Object.entries(files).map(([path, { sha256, sizeBytes }]) => [path, { sha256, sizeBytes }])
  const signed = signer === undefined ? {} : { signer }
  return `${JSON.stringify({ ...manifestHead, ...signed, files: Object.fromEntries(listed) }, null, 2)}\n`
}

/**
 * Returns a script that finds the root of the site and makes links relative to it, because static hosts serve
 * the not-found page for missing URLs at any depth. From disk, links are relative as on other pages.
 */
function rootScript(style: string): string {
  const script = `(function(){if(location.protocol==='file:')return
var parts=location.pathname.split('/'),base=document.createElement('base'),i,root,request
base.href='/'
for(i=1;i<parts.length&&i<9;i++){root=parts.slice(0,i).join('/')+'/'
try{request=new XMLHttpRequest();request.open('HEAD',root+${JSON.stringify(style)},false);request.send()
if(request.status===200&&/css/.test(request.getResponseHeader('content-type')||'')){base.href=root;break}}catch(error){}}
document.head.appendChild(base)})()`
  return `<script>${script}</script>`
}

async function writeNotFound({ input, layout, files, style }: FinishScope): Promise<void> {
  const html = layout.notFound()
  const isServed = input.deployment === 'cloud'
  await files.add('404.html', isServed ? html : html.replace('<head>', `<head>${rootScript(style)}`))
}

async function writeStart({ start, links, files, layout }: FinishScope): Promise<void> {
  if (start !== null) await files.add('index.html', layout.redirect(links.rewriteLink(start, 0)))
}

async function writeRedirects({ input, plan, names, links, files, layout }: FinishScope): Promise<void> {
  const { site } = input
  for (const { source, destination } of listMovedPaths(site, new Set(plan.map((page) => page.route)))) {
    const route = normalisePath(source).replace(/\.html$/, '')
    const path = safePath(route === '/' ? 'index.html' : `${route.slice(1)}.html`)
    if (files.has(path) || names.has(path)) continue
    const target = links.rewriteLink(normaliseTarget(destination), depthOfPath(path))
    await files.add(names.claim(path), layout.redirect(target))
  }
  if (site.redirects.length === 0) return
  await files.add('_redirects', buildRedirectLines(site))
  await files.add('redirects.nginx.conf', nginxRedirects(site))
  if (input.deployment === 'client-hosted') await files.add('vercel.json', buildRedirectJson(site))
}

async function writeHostingFiles({ input, plan, files, names }: FinishScope): Promise<void> {
  const host = input.origin === null ? null : (URL.parse(input.origin)?.host ?? null)
  const recipes = hostingRecipes({
    host,
    redirects: input.site.redirects,
    routes: plan.map(({ route }) => route),
  })
  for (const { path, content } of recipes)
    await files.add(path === HEADERS_FILE ? path : names.claim(path), content)
  await files.add(SERVE_FILE, await readBundleText('serve.mjs'))
  await files.add(SBOM_FILE, await createSoftwareBill(input, Object.keys(files.list())))
}

/** Adds a missing leading slash, because `guides/x` means `/guides/x`. */
function normaliseTarget(destination: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(destination) ? destination : `/${destination}`
}

/** Writes files for programs, unless the site contains files with the same names. */
async function writeMachineFiles(scope: FinishScope, fullText: WholeText): Promise<void> {
  const { input, plan, files } = scope
  const { site, origin } = input
  if (origin !== null)
    for (const { path, content } of sitemapFiles(site, plan, origin)) await files.add(path, content)
  if (!isSiteIndexed(site)) return discardText(fullText)
  await writeSkills(site, input.tree, files)
  await files.addText([FULL_TEXT_FILE, `.well-known/${FULL_TEXT_FILE}`], fullText)
}

type ListScope = Pick<FinishScope, 'plan' | 'links' | 'names'> & {
  input: Pick<RenderInput, 'site' | 'origin' | 'deployment'>
}

/** Returns `llms.txt` of the site and of its sections. */
export function createLlmsFiles(scope: ListScope): { path: string; content: () => string }[] {
  const { site, deployment } = scope.input
  const { hrefOf } = createHrefs(scope)
  const pages = sortByReadingOrder(site, scope.plan)
  const sections = sectionPages(site, pages)
  let whole: string | null = null
  const content = () => {
    whole ??= createSiteLlmsTxt(scope, pages, sections)
    return whole
  }
  return [
    { path: LLMS_FILE, content },
    { path: `.well-known/${LLMS_FILE}`, content },
    ...sections.map((section) => ({
      path: sectionFile(section.folder, deployment),
      content: () => createSectionTxt({ site, pages: section.pages, hrefOf }, section.title),
    })),
  ]
}

/** `pages` must be in reading order. */
function createSiteLlmsTxt(
  scope: ListScope,
  pages: readonly SitePage[],
  sections: ReturnType<typeof sectionPages>,
): string {
  const { site, origin, deployment } = scope.input
  const addresses = createHrefs(scope)
  return createLlmsTxt({
    ...addresses,
    site,
    pages: pagesForAgents(site, pages),
    sections: sections.map(({ folder, title }) => ({
      title,
      href: addresses.fileHref(sectionFile(folder, deployment)),
    })),
    mcpHref: deployment === 'cloud' && origin !== null ? origin + MCP_PATH : null,
  })
}

function createHrefs({ input: { origin }, links, names }: ListScope) {
  const fileHref = (file: string) =>
    origin === null ? links.rewriteLink(OUTPUT_FILE_PREFIX + file, 0) : `${origin}/${encodePath(file)}`
  return { fileHref, hrefOf: (page: SitePage) => fileHref(names.twins.get(page.route) as string) }
}

function sectionFile(folder: string, deployment: RenderInput['deployment']): string {
  const file = `${folder}/${LLMS_FILE}`
  return deployment === 'cloud' ? file : safePath(file)
}
