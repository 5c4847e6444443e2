/** Review page: selects the changed page to preview, and sends the decision. Readable without JavaScript. */
import { initDecision } from './decision.ts'
import { initPreview } from './preview.ts'

initPreview()
initDecision()
