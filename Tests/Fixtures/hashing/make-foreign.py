"""Prints the rows of foreign.jsonl, hashed by other implementations than ours.

python3 -m venv v && v/bin/pip install passlib "bcrypt<4.1" django argon2-cffi pyescrypt
v/bin/python make-foreign.py > foreign.jsonl

The other rows come from programs: gost-yescrypt from the crypt module of Python 3.11
(crypt.crypt("correct horse battery", "$gy$j75$0123456789abcdef")), htpasswd from `htpasswd -niB -C COST u`, and mkpasswd
from `mkpasswd -s -m METHOD -R ROUNDS`.
"""

import json,sys
import bcrypt, argon2, pyescrypt
from passlib.hash import sha256_crypt, sha512_crypt, pbkdf2_sha256, pbkdf2_sha512, scrypt
import django
from django.conf import settings
settings.configure()
from django.contrib.auth.hashers import PBKDF2PasswordHasher
import passlib
rows=[]
def row(h,pw,scheme,params,src,why): rows.append(dict(hash=h,password=pw,scheme=scheme,parameters=params,source=src,why=why))
b="bcrypt "+bcrypt.__version__
for pre in (b"2a",b"2b"):
    s=bcrypt.gensalt(5,prefix=pre); row(bcrypt.hashpw("caf\u00e9 au lait".encode(),s).decode(),"caf\u00e9 au lait","bcrypt","cost=5",b,"$"+pre.decode()+"$, bytes beyond ASCII")
h=bcrypt.hashpw(b"correct horse battery",bcrypt.gensalt(4)).decode(); row(h.replace("$2b$","$2y$"),"correct horse battery","bcrypt","cost=4",b,"$2y$, as PHP writes it")
row(bcrypt.hashpw(b"x"*72,bcrypt.gensalt(4)).decode(),"x"*72,"bcrypt","cost=4",b,"72 bytes, all that bcrypt looks at")
p="passlib "+passlib.__version__+", its own code"
s5=sha256_crypt.using(rounds=5000); s5.set_backend("builtin"); s6=sha512_crypt.using(rounds=5000); s6.set_backend("builtin")
row(s5.hash("correct horse battery"),"correct horse battery","sha256-crypt","rounds=5000",p,"rounds that are not written")
row(s6.hash("caf\u00e9 au lait"),"caf\u00e9 au lait","sha512-crypt","rounds=5000",p,"rounds that are not written")
c=sha256_crypt.using(rounds=1000); c.set_backend("builtin"); row(c.hash("x"*200),"x"*200,"sha256-crypt","rounds=1000",p,"rounds, and a long password")
c=sha512_crypt.using(rounds=10000,salt="s"); c.set_backend("builtin"); row(c.hash("correct horse battery"),"correct horse battery","sha512-crypt","rounds=10000",p,"a salt of one character")
p="passlib "+passlib.__version__+" over hashlib"
row(pbkdf2_sha256.using(rounds=1000).hash("correct horse battery"),"correct horse battery","pbkdf2-sha256","iterations=1000",p,"passlib's form")
row(pbkdf2_sha512.using(rounds=1000).hash("caf\u00e9 au lait"),"caf\u00e9 au lait","pbkdf2-sha512","iterations=1000",p,"passlib's form")
import hashlib,base64
def b64(x): return base64.b64encode(x).decode().rstrip("=")
t=hashlib.pbkdf2_hmac("sha256",b"correct horse battery",b"0123456789abcdef",2000)
row("$pbkdf2-sha256$i=2000,l=32$%s$%s"%(b64(b"0123456789abcdef"),b64(t)),"correct horse battery","pbkdf2-sha256","iterations=2000","Python hashlib (OpenSSL)","the PHC form")
t=hashlib.pbkdf2_hmac("sha512",b"",b"0123456789abcdef",2000,40)
row("$pbkdf2-sha512$i=2000$%s$%s"%(b64(b"0123456789abcdef"),b64(t)),"","pbkdf2-sha512","iterations=2000","Python hashlib (OpenSSL)","an empty password, a short tag and no length")
t=hashlib.pbkdf2_hmac("sha256",b"long tag",b"saltsalt",1000,64)
row("$pbkdf2-sha256$i=1000,l=64$%s$%s"%(b64(b"saltsalt"),b64(t)),"long tag","pbkdf2-sha256","iterations=1000","Python hashlib (OpenSSL)","a tag that takes two rounds of the digest")
d="Django "+django.get_version()
H=PBKDF2PasswordHasher()
row(H.encode("correct horse battery","seasalt1234567890ABCD",1500),"correct horse battery","django-pbkdf2-sha256","iterations=1500",d,"Django's form")
row(H.encode("caf\u00e9 au lait","x",1),"caf\u00e9 au lait","django-pbkdf2-sha256","iterations=1",d,"the least")
row(scrypt.using(rounds=10,block_size=8,parallelism=2).hash("correct horse battery"),"correct horse battery","scrypt","ln=10,r=8,p=2",p,"the PHC form")
row(scrypt.using(rounds=4,block_size=1,parallelism=1).hash(""),"","scrypt","ln=4,r=1,p=1",p,"an empty password")
sc=hashlib.scrypt(b"correct horse battery",salt=b"SodiumChloride",n=1024,r=8,p=1,dklen=32)
A="./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
def e64(bs):
    out="";i=0
    while i<len(bs):
        v=0;bits=0
        while bits<24 and i<len(bs): v|=bs[i]<<bits;bits+=8;i+=1
        for _ in range((bits+5)//6): out+=A[v&63]; v>>=6
    return out
def n5(n): return "".join(A[(n>>(6*i))&63] for i in range(5))
row("$7$"+A[10]+n5(8)+n5(1)+"SodiumChloride$"+e64(sc),"correct horse battery","scrypt-crypt","ln=10,r=8,p=1","Python hashlib (OpenSSL), written down as crypt(5) has it","$7$")
for pw,n in (("correct horse battery",12),("caf\u00e9 au lait",13)):
    y=pyescrypt.Yescrypt(n=2**n,r=8,t=0,p=1,mode=pyescrypt.Mode.MCF)
    row(y.digest(pw.encode(),b"0123456789abcdef").decode(),pw,"yescrypt","ln=%d,r=8,p=1"%n,"pyescrypt (Openwall's reference code)","yescrypt")
for v,nm in ((argon2.Type.I,"argon2i"),(argon2.Type.D,"argon2d"),(argon2.Type.ID,"argon2id")):
    a=argon2.PasswordHasher(time_cost=2,memory_cost=1024,parallelism=2,hash_len=24,salt_len=12,type=v)
    row(a.hash("correct horse battery"),"correct horse battery",nm,"m=1024,t=2,p=2","argon2-cffi "+argon2.__version__,"another variant, tag and salt than ours" )
print("\n".join(json.dumps(r,ensure_ascii=False) for r in rows))
