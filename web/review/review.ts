/** Review page: selects the changed page to preview, and sends the decision. Readable without JavaScript. */
import { wireDecision } from './decision.ts'
import { wirePreview } from './preview.ts'

wirePreview()
wireDecision()
