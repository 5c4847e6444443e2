import { PageHeader } from '../../ui/page.tsx'

export function FeedbackPage() {
  return <PageHeader title="Feedback" />
}
