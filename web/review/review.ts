/** The review page: which changed page is shown, and the decision. The page can be read without it. */
import { wireDecision } from './decision.ts'
import { wirePreview } from './preview.ts'

wirePreview()
wireDecision()
