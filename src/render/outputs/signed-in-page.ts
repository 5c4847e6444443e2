/**
 * Page on which a sign-in window ends: it passes the service's answer to the tab that opened it, over a channel used
 * by that tab only, and closes without storing it. Its URL never changes, because it is registered with services.
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
