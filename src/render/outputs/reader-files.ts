/** Files of a site for readers, depending on its features: scripts, playground, assistant. */
import { ASSISTANT_TEXTS_GLOBAL, isCollecting } from '../../base/api/widgets.ts'
import { PLAYGROUND_TEXTS_GLOBAL } from '../../openapi/playground-data.ts'
import type { Site } from '../../site/model.ts'
import { BUILT_IN_FOLDER, type BuiltInFile, type BuiltIns, hashed } from '../machinery/built-ins.ts'
import type { RenderInput } from '../page/render-input.ts'
import { ASSISTANT_TEXTS, type UiText } from '../words/english.ts'
import { pickPlaygroundTexts } from '../words/playground-texts.ts'
import { uiText } from '../words/ui-text.ts'
import { servicesFile } from './outside-services.ts'
import { siteServers } from './page-playground.ts'
import {
  hasAnalytics,
  hasAssistant,
  hasOperations,
  hasPlaygroundProxy,
  platformFile,
  resolveWidgetSet,
} from './platform-file.ts'

/** Null for files that the site does not require. */
export interface ReaderFiles {
  search: BuiltInFile | null
  feedback: BuiltInFile | null
  analytics: BuiltInFile | null
  platform: BuiltInFile | null
  services: BuiltInFile | null
  /** Servers that readers may call through the Octavo server. Loaded on demand. */
  servers: BuiltInFile | null
  forms: WidgetFiles | null
  assistant: WidgetFiles | null
}

interface WidgetFiles {
  script: BuiltInFile
  style: BuiltInFile
  /** Keyed by language, because a reader requires the texts of only one language. */
  texts: Record<string, BuiltInFile>
}

export async function createReaderFiles(
  input: RenderInput,
  builtIns: BuiltIns,
  hasServices: boolean,
): Promise<ReaderFiles> {
  const { site, features } = input
  return {
    search: features.search ? builtIns.searchScript : null,
    feedback: isCollecting(resolveWidgetSet(input)) ? builtIns.feedbackScript : null,
    analytics: hasAnalytics(input) ? builtIns.analyticsScript : null,
    platform: await platformFile(input),
    services: hasServices ? servicesFile(input, builtIns.servicesScript) : null,
    servers: serversFile(input),
    forms:
      features.playground && hasOperations(site)
        ? {
            script: builtIns.playgroundScript,
            style: builtIns.playgroundStyle,
            texts: createTextFiles(site, 'try-words', PLAYGROUND_TEXTS_GLOBAL, pickPlaygroundTexts),
          }
        : null,
    assistant: hasAssistant(input)
      ? {
          script: builtIns.assistantScript,
          style: builtIns.assistantStyle,
          texts: createTextFiles(site, 'ask-words', ASSISTANT_TEXTS_GLOBAL, pickAssistantTexts),
        }
      : null,
  }
}

export function listReaderFiles({ forms, assistant, ...others }: ReaderFiles): BuiltInFile[] {
  const listFiles = (files: WidgetFiles | null) =>
    files ? [files.script, files.style, ...Object.values(files.texts)] : []
  return [
    ...Object.values(others).filter((file) => file !== null),
    ...listFiles(forms),
    ...(forms ? [SIGNED_IN_PAGE] : []),
    ...listFiles(assistant),
  ]
}

function createTextFiles(
  site: Site,
  name: string,
  global: string,
  pick: (text: UiText) => object,
): WidgetFiles['texts'] {
  const languages = new Set([...site.pages.values()].map(({ language }) => language))
  return Object.fromEntries(
    [...languages].map((language) => {
      const texts = JSON.stringify(pick(uiText(language)))
      return [language, hashed(name, 'js', `globalThis.${global}=${texts}\n`)]
    }),
  )
}

function pickAssistantTexts(text: UiText): object {
  const names = [
    ...(Object.keys(ASSISTANT_TEXTS) as (keyof typeof ASSISTANT_TEXTS)[]),
    'clear',
    'close',
  ] as const
  return Object.fromEntries(names.map((name) => [name, text[name]]))
}

function serversFile(input: RenderInput): BuiltInFile | null {
  const servers = hasPlaygroundProxy(input) ? siteServers(input.site) : []
  return servers.length === 0 ? null : hashed('servers', 'json', JSON.stringify(servers))
}

/**
 * Ends a sign-in window: sends the response of the service to the tab that opened the window, over a channel
 * that only this tab uses, and closes the window without storing the response. The URL of the page must not
 * change, because it is registered with services.
 */
const SIGNED_IN_SCRIPT = `var answer=location.search.slice(1)||location.hash.slice(1)
history.replaceState(null,'',location.pathname)
var state=new URLSearchParams(answer).get('state')
if(state)new BroadcastChannel('octavo-sign-in '+state).postMessage(answer)
setTimeout(close,300)`

const SIGNED_IN_PAGE: BuiltInFile<string> = {
  path: `${BUILT_IN_FOLDER}/signed-in.html`,
  content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>Octavo</title><script>${SIGNED_IN_SCRIPT}</script></head><body></body></html>\n`,
}
