#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# lsq_figures.py: the figures of test_lsq.c, test_robust.c and test_autocorr.c, by numpy and dense matrices.
#
#	python3 tests/rigs/lsq_figures.py
import numpy as np
n=12
i=np.arange(n)
own=(i*5%4)/2; other=np.round(.1+.05*np.sin(3.0*i),3); t=2.0*i
y=np.round(5+10*own+9*other+.03*t+np.array([.11,-.2,.05,.3,-.12,-.07,.21,.02,-.3,.14,.08,-.18]),3)
w=np.array([1,2,1,.5,1,3,1,1,0,2,1,1.])
print("own",own.tolist());print("other",other.tolist());print("y",y.tolist())
def fit(X,y,w):
    k=w>0;X,y,w=X[k],y[k],w[k];sw=np.sqrt(w)
    b,_,_,_=np.linalg.lstsq(X*sw[:,None],y*sw,rcond=None)
    r=y-X@b;rss=(w*r*r).sum();C=np.linalg.inv(X.T@(X*w[:,None]))
    m=(w*y).sum()/w.sum();tss=(w*(y-m)**2).sum();df=len(y)-X.shape[1];s2=rss/df
    return b,np.sqrt(s2*np.diag(C)),rss,1-rss/tss,1-rss/tss*(len(y)-1)/df,C
X=np.column_stack([np.ones(n),own,other,t])
for ww in (np.ones(n),w):
    b,se,rss,r2,ar,C=fit(X,y,ww)
    for v in (b,se,[rss,r2,ar],[C[1,2],C[0,3]]): print(', '.join('%.12g'%q for q in v))
# F test without other and t
b2,_,rss2,_,_,_=fit(X[:,:2],y,np.ones(n)); b,_,rss,_,_,_=fit(X,y,np.ones(n))
print("F",((rss2-rss)/2)/(rss/8))
# Huber + rejection, outliers
N=20;i=np.arange(N);x=(i*7%5)/4.;e=np.round(.3*np.sin(1.7*i+.3)+.2*np.cos(5.1*i),3);Y=np.round(4+8*x+e,3);Y[3]+=30;Y[11]-=20
print("x",x.tolist());print("Y",Y.tolist())
X=np.column_stack([np.ones(N),x]);ww=np.ones(N)
b=np.linalg.lstsq(X,Y,rcond=None)[0]
for _ in range(500):
    r=Y-X@b;mad=np.median(abs(r))*N/(N-2);lim=1.345*1.4826022185056018*mad
    ww=np.minimum(1,lim/np.maximum(abs(r),1e-300));sw=np.sqrt(ww)
    b=np.linalg.lstsq(X*sw[:,None],Y*sw,rcond=None)[0]
print("huber",b)
keep=np.ones(N,bool)
for _ in range(20):
    r=Y-X@b;mad=np.median(abs(r))*N/(N-2)
    keep=abs(r)<=6*mad;b=np.linalg.lstsq(X[keep],Y[keep],rcond=None)[0]
print("final",['%.12g'%q for q in b],"rejected",(~keep).sum(),np.where(~keep),"scale %.12g"%(1.4826022185056018*mad))
# GLS for fixed pair: AR share/tau mixture -- the grid's full mixture by dense matrices
def mixture(X,y,t,blk=None):
    n,p=X.shape;usual=np.median(np.diff(t));span=t[-1]-t[0];pairs=[(0,None)]
    for s in (.15,.3,.5,.7,.85,.95):
        for k in range(12):
            low=usual/2;pairs.append((s,low*(span/low)**(k/11)))
        if blk is not None:pairs.append((s,np.inf))
    out=[]
    for s,tau in pairs:
        V=np.eye(n)
        if s>0:
            D=abs(t[:,None]-t[None,:])
            R=np.exp(-D/tau) if np.isfinite(tau) else (blk[:,None]==blk[None,:]).astype(float)
            V=(1-s)*np.eye(n)+s*R
        Vi=np.linalg.inv(V);A=X.T@Vi@X;b=np.linalg.solve(A,X.T@Vi@y);r=y-X@b;rss=r@Vi@r
        ll=-.5*np.linalg.slogdet(V)[1]-.5*np.linalg.slogdet(A)[1]-(n-p)/2*np.log(rss)
        prior=np.log(12*6) if s==0 else (np.log(12*.25) if not np.isfinite(tau) else 0)
        out.append((ll+prior,b,np.linalg.inv(A)*rss/(n-p),s))
    m=max(o[0] for o in out);ws=np.array([np.exp(o[0]-m) for o in out]);ws/=ws.sum()
    mean=sum(w*o[1] for w,o in zip(ws,out))
    var=sum(w*(np.diag(o[2])+(o[1]-mean)**2) for w,o in zip(ws,out))
    return mean,np.sqrt(var),sum(w*o[3] for w,o in zip(ws,out)),ws[0]
N=24;i=np.arange(N);blk=i//6;lev=np.array([0,1,.5,1])[blk];t=i+2.0*blk
rng=[.3,.25,.4,.1,.2,-.1,-.3,-.2,-.4,-.1,-.2,0,.2,.3,.25,.4,.2,.3,-.1,0,-.2,-.25,-.1,-.3]
y=np.round(5+10*lev+np.array(rng),3)
print("y",y.tolist())
X=np.column_stack([np.ones(N),lev])
for b in (None,blk):
    m,se,sh,w0=mixture(X,y,t,b);print(['%.12g'%q for q in list(m)+list(se)+[sh]])
