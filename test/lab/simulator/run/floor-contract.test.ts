import { floorStories } from '../../../contract/floor-contract';
import { openFloorPool } from './floor-pool';

describe('the scheduler and Karpenter of the sandbox', () => {
  test.each(Object.entries(floorStories(openFloorPool)))('%s', async (_title, tell) => tell());
});
