import { PageHeader } from '../../ui/page.tsx'

export function PlanPage() {
  return <PageHeader title="Plan and limits" />
}
