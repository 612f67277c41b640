import { kubeContract } from '../../../contract/kube-contract';
import { connectTo, emptyApi } from './serve-store';

kubeContract({ name: 'the sandbox', connect: () => connectTo(emptyApi()) });
