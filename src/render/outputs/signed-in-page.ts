/**
 * The page on which the window of a sign-in ends: it tells the tab that opened it what the service answered, on the
 * channel of that tab alone, forgets it and closes. Its address is the same in every version, since services know it.
 */
import { BUILT_IN_FOLDER, type BuiltInFile } from '../machinery/built-ins.ts'

const SCRIPT = `var answer=location.search.slice(1)||location.hash.slice(1)
history.replaceState(null,'',location.pathname)
var state=new URLSearchParams(answer).get('state')
if(state)new BroadcastChannel('octavo-sign-in '+state).postMessage(answer)
setTimeout(close,300)`

export const SIGNED_IN_PAGE: BuiltInFile<string> = {
  path: `${BUILT_IN_FOLDER}/signed-in.html`,
  content: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>Octavo</title><script>${SCRIPT}</script></head><body></body></html>\n`,
}
